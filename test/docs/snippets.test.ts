import assert from 'node:assert/strict';
import path from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { z } from 'zod';
import { profileFileSchema } from '../../calibration/profile-schema.ts';
import { clusterSchema, experimentSchema } from '../../harness/spec.ts';
import { ROOT } from './data.ts';
import { type Block, blocksOf, PAGES } from './markdown.ts';

const blocks = PAGES.flatMap(blocksOf);
const inLanguage = (language: string) => blocks.filter((block) => block.language === language);
const at = ({ page, line }: Block) => `${page}:${line}`;

/** The schema of a file, by what it holds. */
function schemaOf(content: unknown): z.ZodType {
  const keys = Object.keys(content as object);
  if (keys.includes('gpus') || keys.includes('pairs')) return profileFileSchema('a page');
  return keys.includes('groups') ? clusterSchema : experimentSchema;
}

/** Compiler options of the repository, with the package's own name leading to its entry. */
function compilerOptions(): ts.CompilerOptions {
  const config = ts.getParsedCommandLineOfConfigFile(
    path.join(ROOT, 'tsconfig.json'),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
  );
  return {
    ...config?.options,
    noEmit: true,
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
    paths: { heshare: [path.join(ROOT, 'index.ts')] },
  };
}

/** What the compiler says of the snippets, each as a file of its own that is only in memory. */
function typeErrors(snippets: readonly Block[]): string[] {
  const files = new Map(
    snippets.map((block, i) => [path.join(ROOT, 'test', `snippet-${i}.ts`), block]),
  );
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (file) => files.has(file) || host.fileExists(file),
    readFile: (file) => files.get(file)?.text ?? host.readFile(file),
    getSourceFile: (file, target, ...rest) => {
      const snippet = files.get(file);
      if (snippet === undefined) return host.getSourceFile(file, target, ...rest);
      return ts.createSourceFile(file, snippet.text, target, true);
    },
  });
  return [...files].flatMap(([file, block]) => {
    const source = program.getSourceFile(file);
    return [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ].map(({ messageText }) => `${at(block)} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
  });
}

describe('the snippets of the documentation', () => {
  it('in YAML are experiments, clusters or profiles that the program takes', () => {
    const snippets = inLanguage('yaml');
    assert.ok(snippets.length >= 5);
    for (const block of snippets) {
      const content: unknown = parse(block.text);
      const { error } = schemaOf(content).safeParse(content);
      assert.equal(error === undefined ? '' : z.prettifyError(error), '', at(block));
    }
  });

  it('in JSON can be parsed', () => {
    for (const block of inLanguage('json')) {
      assert.doesNotThrow(() => JSON.parse(block.text) as unknown, at(block));
    }
  });

  it('in TypeScript pass the compiler under the rules of this repository', () => {
    const snippets = inLanguage('ts');
    assert.ok(snippets.length >= 3);
    assert.deepEqual(typeErrors(snippets), []);
  });

  it('that are files are written once a page', () => {
    for (const page of PAGES) {
      const files = blocksOf(page).flatMap(({ words }) => words.file ?? []);
      assert.equal(new Set(files).size, files.length, page);
    }
  });
});
