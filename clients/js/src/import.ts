// Exports of ChatGPT and Claude: `memory-postgresql import`, and its parts.
export { BrokenJson, Elements, elementsOf, type Element } from './import/elements.js';
export { Import, VENDORS, type Progress, type Vendor } from './import/run.js';
