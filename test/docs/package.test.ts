import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './data.ts';
import { PAGES, proseOf } from './markdown.ts';

const IMAGE_LIMIT_BYTES = 300_000;
const { files } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  files: readonly string[];
};
/** npm packs these whatever the list says. */
const ALWAYS = ['README.md', 'LICENSE', 'package.json'];

function isPacked(file: string): boolean {
  const covers = (entry: string) => file === entry || file.startsWith(`${entry}/`);
  return [...ALWAYS, ...files].some(covers) && !files.includes(`!${file}`);
}

describe('the package', () => {
  it('holds the pages and pictures that the README and the pages of docs lead to', () => {
    const pages = PAGES.filter((page) => page === 'README.md' || page.startsWith('docs/'));
    let count = 0;
    for (const page of pages) {
      assert.ok(isPacked(page), page);
      for (const [, link = ''] of proseOf(page).matchAll(/\]\(([^)\s#]+)[^)]*\)/g)) {
        if (/^https?:/.test(link)) continue;
        const file = path.posix.join(path.posix.dirname(page), link);
        assert.ok(isPacked(file), `${page} leads to ${file}, which is not packed`);
        count += 1;
      }
    }
    assert.ok(count > 20, `${count} links`);
  });

  it('holds no large picture', () => {
    const inside = readdirSync(path.join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    for (const file of inside.map((name) => `docs/${name.replaceAll(path.sep, '/')}`)) {
      const { size } = statSync(path.join(ROOT, file));
      assert.ok(!isPacked(file) || size < IMAGE_LIMIT_BYTES, `${file} has ${size} bytes`);
    }
  });
});
