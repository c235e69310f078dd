import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './data.ts';
import { anchorsOf, PAGES, pageText, proseOf } from './markdown.ts';

interface Link {
  readonly page: string;
  readonly target: string;
}

/** Links of a page, reference and image links among them. */
function linksOf(page: string): Link[] {
  const prose = proseOf(page).replace(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map((match) => ({
    page,
    target: match[1] as string,
  }));
}

const links = PAGES.flatMap(linksOf);
const isOutside = ({ target }: Link) => /^https?:/.test(target);

describe('the links of the documentation', () => {
  it('inside lead to files and headings that there are', () => {
    const inside = links.filter((link) => !isOutside(link));
    assert.ok(inside.length > 30);
    for (const { page, target } of inside) {
      const [file = '', anchor] = target.split('#');
      const full =
        file === '' ? page : path.join(path.dirname(page), file).replaceAll(path.sep, '/');
      assert.ok(existsSync(path.join(ROOT, full)), `${page}: ${target} leads nowhere`);
      if (anchor === undefined) continue;
      assert.ok(anchorsOf(full).has(anchor), `${page}: ${target} has no such heading`);
    }
  });

  it('lead to every page from the README', () => {
    const targets = new Set(linksOf('README.md').map(({ target }) => target.split('#')[0]));
    for (const page of PAGES) {
      if (page === 'README.md' || page === 'CHANGELOG.md') continue;
      assert.ok(targets.has(page), `README.md does not lead to ${page}`);
    }
  });

  it('outside use a safe protocol', () => {
    for (const { page, target } of links.filter(isOutside)) {
      assert.ok(target.startsWith('https://'), `${page}: ${target}`);
    }
  });
});

describe('the pages of the documentation', () => {
  it('name no path of a machine and no registry', () => {
    const forbidden = [
      /(?:^|[\s"'(`=])\/[A-Za-z]\w*\//, // an absolute path
      /\b[A-Z]:\\/,
      /\bregistry\.(?!ts)|npmjs|localhost|\b\d+\.\d+\.\d+\.\d+\b/,
    ];
    for (const page of PAGES) {
      for (const [i, line] of pageText(page).split('\n').entries()) {
        for (const form of forbidden) assert.ok(!form.test(line), `${page}:${i + 1} ${line}`);
      }
    }
  });

  it('have one title each', () => {
    for (const page of PAGES) {
      const titles = proseOf(page)
        .split('\n')
        .filter((line) => line.startsWith('# '));
      assert.equal(titles.length, 1, page);
    }
  });

  it('show a picture of the result that is a small PNG', () => {
    const file = path.join(ROOT, 'docs/images/comparison.png');
    assert.ok(pageText('README.md').includes('(docs/images/comparison.png)'));
    assert.ok(statSync(file).size < 200_000);
    assert.equal(readFileSync(file).subarray(1, 4).toString(), 'PNG');
  });
});
