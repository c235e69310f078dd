import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';
import heshare, { pureLayers } from './scripts/eslint-import-directions.js';
import { pureRules } from './scripts/eslint-pure-layers.js';

export default defineConfig(
  globalIgnores(['dist/', 'coverage/', 'runs/']),
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    plugins: { heshare },
    // One program for the whole repository: faster than a project service over many folders.
    languageOptions: {
      parserOptions: { project: ['./tsconfig.json'], tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      'heshare/import-directions': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/restrict-plus-operands': ['error', { allowNumberAndString: true }],
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' },
      ],
      // Biome reports these; two reports would need two comments to justify one line.
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  { files: pureLayers.map((layer) => `${layer}/**/*.ts`), rules: pureRules },
);
