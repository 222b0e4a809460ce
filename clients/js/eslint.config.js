import js from '@eslint/js';
import typescript from 'typescript-eslint';

export default typescript.config(
  { ignores: ['dist/', 'tests/', 'packed/'] },
  js.configs.recommended,
  {
    files: ['src/**/*.ts'],
    extends: [...typescript.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
);
