import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './data.ts';
import { type Block, blocksOf, PAGES, proseOf } from './markdown.ts';
import { Program, Sandbox, type ScriptResult } from './sandbox.ts';

const AT_ONCE = 2;

const manifest = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Commands that are not run but looked up: they install, build or test the whole. */
const isForNpm = ({ text }: Block): boolean => /^(npm|npx) /m.test(text);
const isScript = ({ language }: Block): boolean => language === 'sh';

/** A page whose commands run one after the other in a folder of its own. */
class PageRun {
  readonly page: string;
  readonly blocks: readonly Block[];
  readonly #results = new Map<Block, ScriptResult>();

  constructor(page: string) {
    this.page = page;
    this.blocks = blocksOf(page);
  }

  get scripts(): readonly Block[] {
    return this.blocks.filter((block) => isScript(block) && !isForNpm(block));
  }

  async run(program: Program): Promise<void> {
    if (this.scripts.length === 0) return;
    const sandbox = new Sandbox(program);
    try {
      for (const block of this.blocks) {
        if (block.words.file !== undefined) sandbox.write(block.words.file, block.text);
        if (this.scripts.includes(block)) this.#results.set(block, await sandbox.run(block.text));
      }
    } finally {
      sandbox.remove();
    }
  }

  resultOf(block: Block): ScriptResult {
    return this.#results.get(block) ?? assert.fail(`line ${block.line} was not run`);
  }

  /** What a command is said to print: the block of text right behind it. */
  expectedOf(block: Block): string | null {
    const next = this.blocks[this.blocks.indexOf(block) + 1];
    return next?.language === 'text' ? next.text : null;
  }
}

/** Every expected line is there, in this order; `...` stands for any lines. */
function assertOutput(found: string, expected: string): void {
  const lines = found.split('\n').map((line) => line.trimEnd());
  let at = 0;
  let maySkip = true;
  for (const wanted of expected.trimEnd().split('\n')) {
    if (wanted === '...') {
      maySkip = true;
      continue;
    }
    const next: number = maySkip ? lines.indexOf(wanted, at) : at;
    assert.equal(lines[next], wanted, `expected\n  ${wanted}\nin\n${found}`);
    at = next + 1;
    maySkip = false;
  }
}

const runs = PAGES.map((page) => new PageRun(page));

describe('the commands of the documentation', () => {
  before(async function () {
    this.timeout(300_000);
    const program = new Program();
    after(() => {
      program.remove();
    });
    // The longest first, so that none is left for the end.
    const waiting = runs.toSorted((a, b) => b.scripts.length - a.scripts.length);
    const work = async () => {
      for (let run = waiting.shift(); run !== undefined; run = waiting.shift()) {
        await run.run(program);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  });

  for (const run of runs) {
    for (const block of run.scripts) {
      it(`run: ${run.page}:${block.line} ${block.text.split('\n')[0] ?? ''}`, () => {
        const { code, output } = run.resultOf(block);
        assert.equal(code, Number(block.words.exit ?? 0), output);
        const expected = run.expectedOf(block);
        if (expected !== null) assertOutput(output, expected);
      });
    }
  }

  it('that are for npm name scripts and programs that there are', () => {
    const blocks = runs.flatMap((run) => run.blocks.filter(isScript).filter(isForNpm));
    const prose = PAGES.flatMap((page) => [...proseOf(page).matchAll(/`(np[mx] [^`]*)`/g)]);
    const lines = [
      ...blocks.flatMap(({ text }) => text.split('\n')),
      ...prose.map((match) => match[1] as string),
    ].filter((line) => line !== '');
    assert.ok(lines.length > 10);
    for (const command of lines.flatMap((line) => line.split(' && '))) {
      const [program, verb = '', name = ''] = command.split(' ');
      if (program === 'npx') {
        const known = verb === 'heshare' || Object.hasOwn(manifest.devDependencies, verb);
        assert.ok(known, command);
        continue;
      }
      assert.equal(program, 'npm', command);
      if (verb === 'ci') assert.ok(existsSync(path.join(ROOT, 'package-lock.json')));
      else assert.ok(Object.hasOwn(manifest.scripts, verb === 'run' ? name : verb), command);
    }
  });

  it('are in blocks that say what they are', () => {
    const languages = new Set(runs.flatMap(({ blocks }) => blocks.map((b) => b.language)));
    assert.deepEqual(
      [...languages].filter((name) => !['sh', 'text', 'yaml', 'json', 'ts', 'csv'].includes(name)),
      [],
    );
  });
});
