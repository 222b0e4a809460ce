// examples/compose.yaml against the schema of the Compose Specification's public repository, as TAP.
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { composed } from './compose.mjs';
import { end, same } from './tap.mjs';

const { $schema: draft, ...schema } = JSON.parse(readFileSync(new URL('public/schema/compose-spec.json', import.meta.url), 'utf8'));
const validate = new Ajv({ strict: false, validateFormats: false, allErrors: true }).compile(schema);
const wrong = (document) => (validate(document) ? [] : validate.errors.map(({ instancePath, message }) => `${instancePath} ${message}`));
const file = composed(process.argv[2]);
same(wrong(file), [], `the file is what the specification says (${draft})`);
same(wrong({ ...file, services: { ...file.services, worker: { ...file.services.worker, healty: {} } } }).length > 0, true, '… which refuses a key that it does not have');
end();
