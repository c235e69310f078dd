import { spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import ts from 'typescript';
import { ROOT } from './data.ts';

/** What a script printed, both streams together in the order of their coming. */
export interface ScriptResult {
  readonly code: number | null;
  readonly output: string;
}

const LAYERS = ['sim', 'policies', 'traces', 'calibration', 'harness', 'cli'];
const COMPILER_OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
};

/**
 * The source program with its types taken out, in a folder of its own: it starts in a third of the
 * time that a loader of TypeScript takes, and is as fresh as the source.
 */
function compileProgram(target: string): void {
  for (const layer of LAYERS) {
    const files = readdirSync(path.join(ROOT, layer), { recursive: true, encoding: 'utf8' });
    for (const file of files.map((name) => path.join(layer, name))) {
      if (!/\.(ts|json|yaml)$/.test(file)) continue;
      const to = path.join(target, file);
      mkdirSync(path.dirname(to), { recursive: true });
      if (!file.endsWith('.ts')) copyFileSync(path.join(ROOT, file), to);
      else {
        const source = readFileSync(path.join(ROOT, file), 'utf8');
        const { outputText } = ts.transpileModule(source, { compilerOptions: COMPILER_OPTIONS });
        writeFileSync(to.replace(/\.ts$/, '.js'), outputText);
      }
    }
  }
  copyFileSync(path.join(ROOT, 'package.json'), path.join(target, 'package.json'));
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(target, 'node_modules'));
}

/**
 * Runs are made in one thread, which changes no result: starting threads would take longer than the
 * small runs of the pages.
 */
function launcher(main: string): string {
  return `#!/bin/sh
case "$1" in
  compare|run) set -- "$@" --workers 0 ;;
esac
exec "${process.execPath}" "${main}" "$@"
`;
}

/** The program as it is in the source, under the name `heshare`. */
export class Program {
  readonly #root = mkdtempSync(path.join(tmpdir(), 'heshare-program-'));

  constructor() {
    compileProgram(this.#root);
    mkdirSync(this.binFolder);
    const file = path.join(this.binFolder, 'heshare');
    writeFileSync(file, launcher(path.join(this.#root, 'cli/main.js')));
    chmodSync(file, 0o755);
  }

  get binFolder(): string {
    return path.join(this.#root, 'bin');
  }

  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** A temporary folder in which the commands of a page run. */
export class Sandbox {
  readonly #folder = mkdtempSync(path.join(tmpdir(), 'heshare-docs-'));
  readonly #program: Program;

  constructor(program: Program) {
    this.#program = program;
  }

  write(file: string, text: string): void {
    writeFileSync(path.join(this.#folder, file), text);
  }

  /** Runs a shell script to its end or its first failing command. */
  run(script: string): Promise<ScriptResult> {
    const env = {
      ...process.env,
      PATH: `${this.#program.binFolder}${path.delimiter}${process.env.PATH ?? ''}`,
      NO_COLOR: '1',
    };
    return new Promise((resolve, reject) => {
      const child = spawn('sh', ['-e', '-c', script], { cwd: this.#folder, env });
      let output = '';
      const take = (chunk: Buffer) => {
        output += chunk.toString();
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('error', reject);
      child.on('close', (code) => {
        resolve({ code, output });
      });
    });
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
