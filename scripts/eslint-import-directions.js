// A local ESLint plugin: which top-level folder may import which (docs: the house of DESIGN section 2).
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository root: imports are resolved against it, whatever the working directory is. */
const root = path.dirname(import.meta.dirname);

/**
 * Each layer and the layers it may import besides itself.
 * Folders that are not named here (bench, test, scripts) and `index.ts` may import everything.
 *
 * @type {Readonly<Record<string, readonly string[]>>}
 */
export const layers = {
  sim: [],
  policies: ['sim'],
  traces: ['sim'],
  calibration: ['sim'],
  harness: ['policies', 'sim', 'traces', 'calibration'],
  cli: ['harness', 'policies', 'sim', 'traces', 'calibration'],
};

/** Layers that do no I/O and know no clock: of Node's own modules they may import only these. */
export const pureLayers = ['sim', 'policies'];
const pureBuiltins = new Set(['assert', 'assert/strict', 'util']);

/** The package's own name: a self-import would reach the whole public entry. */
const selfName = 'heshare';

/**
 * @param {string} absolutePath
 * @returns {string} the first path segment below the root; `..` when outside
 */
function topFolder(absolutePath) {
  return path.relative(root, absolutePath).split(path.sep)[0] ?? '';
}

/**
 * @param {string} specifier
 * @param {string} filename the importing file
 * @returns {string | undefined} the file the specifier names, when it names one by path
 */
function resolvePath(specifier, filename) {
  if (specifier.startsWith('file:')) return fileURLToPath(specifier);
  if (/^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..') {
    return path.resolve(path.dirname(filename), specifier);
  }
  return undefined;
}

/**
 * What is wrong with an import, or undefined when it is allowed.
 *
 * @param {string} layer
 * @param {string} specifier
 * @param {string} filename
 */
function fault(layer, specifier, filename) {
  const file = resolvePath(specifier, filename);
  if (file !== undefined) {
    const target = topFolder(file);
    if (target === layer || layers[layer]?.includes(target)) return undefined;
    return { messageId: 'direction', data: { layer, target, allowed: allowedText(layer) } };
  }
  if (specifier === selfName || specifier.startsWith(`${selfName}/`)) {
    return { messageId: 'self', data: { layer, specifier } };
  }
  if (pureLayers.includes(layer) && isBuiltin(specifier)) {
    if (pureBuiltins.has(specifier.replace(/^node:/, ''))) return undefined;
    return { messageId: 'builtin', data: { layer, specifier } };
  }
  return undefined;
}

/** @param {string} layer */
function allowedText(layer) {
  return [layer, ...(layers[layer] ?? [])].join(', ');
}

/** @type {import('eslint').Rule.RuleModule} */
export const importDirections = {
  meta: {
    type: 'problem',
    docs: { description: 'imports between the top-level folders run one way' },
    schema: [],
    messages: {
      direction: '{{layer}} must not import {{target}}: it may import {{allowed}}',
      self: '{{layer}} must not import the public entry {{specifier}}: import the file itself',
      builtin: '{{layer}} does no I/O and must not import {{specifier}}',
      computed: '{{layer}} must not import a computed path: only harness and cli may',
    },
  },
  create(context) {
    const filename = context.filename;
    const layer = topFolder(filename);
    if (!Object.hasOwn(layers, layer)) return {};

    /** @param {any} source the node of the module specifier */
    const check = (source) => {
      if (!source) return;
      const quasi = source.type === 'TemplateLiteral' && source.expressions.length === 0;
      const specifier = quasi ? source.quasis[0].value.cooked : source.value;
      if (typeof specifier === 'string') {
        const found = fault(layer, specifier, filename);
        if (found) context.report({ node: source, ...found });
      } else if (layer !== 'harness' && layer !== 'cli') {
        context.report({ node: source, messageId: 'computed', data: { layer } });
      }
    };

    return {
      ImportDeclaration: (node) => check(node.source),
      ExportNamedDeclaration: (node) => check(node.source),
      ExportAllDeclaration: (node) => check(node.source),
      ImportExpression: (node) => check(node.source),
      // import('x').Type
      TSImportType: (/** @type {any} */ node) => check(node.source ?? node.argument?.literal),
      // import x = require('x')
      TSExternalModuleReference: (/** @type {any} */ node) => check(node.expression),
      CallExpression: (node) => {
        const { callee } = node;
        if (callee.type === 'Identifier' && callee.name === 'require') check(node.arguments[0]);
      },
    };
  },
};

/** @type {import('eslint').ESLint.Plugin} */
export default {
  meta: { name: 'heshare' },
  rules: { 'import-directions': importDirections },
};
