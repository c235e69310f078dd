import type { Decision } from '../sim/decisions.ts';
import { InputError } from '../sim/errors.ts';
import { SHARING_MODES, type SharingMode } from '../sim/gpu/evaluate.ts';
import type { DecisionMaker, Information } from '../sim/view.ts';
import { ModuleFields } from './plugin-fields.ts';
import type { Policy, PolicyDefinition, PolicyOption } from './policy.ts';

const DURATIONS = ['none', 'estimate', 'oracle'] as const;
const PROFILES = ['none', 'solo', 'pairs', 'all'] as const;
const FAITHFULNESS = ['exact', 'port', 'like', 'own'] as const;

const EXPECTED = 'expected a policy: a function, { name, decide } or { name, create }';
const MAKER_FIELDS = ['name', 'information', 'mode', 'decide'];
const DEFINITION_FIELDS = [
  'name',
  'title',
  'source',
  'faithfulness',
  'checkedBy',
  'information',
  'duration',
  'mode',
  'profile',
  'options',
  'create',
];

/**
 * The policy of a user's module. Its default export is one of:
 * - a function `(view) => decisions`, best a generator
 * - an object `{ name, decide }`, with `information` (default: told nothing) and `mode` (default
 *   `exclusive`); like the function it is used for every run, so it must not keep state
 * - a {@link PolicyDefinition}: an object with `name` and `create`; all other fields have defaults
 *   (told nothing, no options). `information` and `mode` beside `create` hold for what it returns,
 *   unless that says otherwise
 *
 * `duration` is short for `information.duration`, wherever that may stand.
 *
 * @param module the module as imported
 * @param path where it comes from, for errors and for the name of a function
 * @throws {InputError} naming the file and what is wrong
 */
export function policyFromModule(module: unknown, path: string): PolicyDefinition {
  const exported = (module as { readonly default?: unknown } | null | undefined)?.default;
  if (exported === undefined) {
    throw new InputError(path, null, null, `has no default export, ${EXPECTED}`);
  }
  if (typeof exported === 'function') {
    return ofMaker(new ModuleFields({ name: baseName(path), decide: exported }, '', path), path);
  }
  const fields = new ModuleFields(exported, 'default export', path);
  if (fields.has('create')) return ofDefinition(fields, exported, path);
  fields.checkNames([...MAKER_FIELDS, 'create']);
  if (!fields.has('decide')) fields.fail(`has neither decide nor create, ${EXPECTED}`);
  return ofMaker(fields, path, exported);
}

/** What holds for a policy that does not say otherwise itself. */
interface Declared {
  readonly name?: string;
  readonly information: Information;
  readonly mode: SharingMode;
}

const NOTHING_DECLARED: Declared = {
  information: { duration: 'none', durationNoise: 0 },
  mode: 'exclusive',
};

/** What an object declares, where `isPlain` says that all its fields are ours and none its own. */
function declaredBy(fields: ModuleFields, otherwise: Declared, isPlain: boolean): Declared {
  const told = fields.object('information');
  const { information, mode } = otherwise;
  const short =
    isPlain || fields.isText('duration')
      ? fields.choice('duration', DURATIONS, information.duration)
      : information.duration;
  return {
    information: {
      duration: told.choice('duration', DURATIONS, short),
      durationNoise: told.number('durationNoise', information.durationNoise),
    },
    mode: fields.choice('mode', SHARING_MODES, mode),
  };
}

function ofMaker(fields: ModuleFields, path: string, self?: unknown): PolicyDefinition {
  const policy = policyOf(fields, self, NOTHING_DECLARED);
  return {
    name: policy.name,
    title: `the policy of ${path}`,
    source: path,
    faithfulness: 'own',
    checkedBy: 'nothing',
    duration: policy.information.duration,
    profile: 'none',
    options: [],
    create: () => policy,
  };
}

function ofDefinition(fields: ModuleFields, self: unknown, path: string): PolicyDefinition {
  fields.checkNames(DEFINITION_FIELDS);
  const name = fields.name();
  const create = fields.method('create');
  const declared = { name, ...declaredBy(fields, NOTHING_DECLARED, true) };
  return {
    name,
    title: fields.text('title', `the policy of ${path}`),
    source: fields.text('source', path),
    faithfulness: fields.choice('faithfulness', FAITHFULNESS, 'own'),
    checkedBy: fields.text('checkedBy', 'nothing'),
    duration: declared.information.duration,
    profile: fields.choice('profile', PROFILES, 'none'),
    options: fields.list('options').map((option, i) => optionOf(option, i, path)),
    create(options, context) {
      const made = create.call(self, options, context);
      return policyOf(new ModuleFields(made, 'what create returned', path), made, declared);
    },
  };
}

function optionOf(given: unknown, position: number, path: string): PolicyOption {
  const fields = new ModuleFields(given, `option ${position}`, path);
  const name = fields.name();
  const option = given as Partial<PolicyOption>;
  if (!['number', 'string', 'boolean'].includes(typeof option.default)) {
    fields.fail(`option '${name}' has no default, expected a number, text, true or false`);
  }
  return {
    ...(option as PolicyOption),
    description: fields.text('description', ''),
    source: fields.text('source', path),
  };
}

function policyOf(fields: ModuleFields, self: unknown, declared: Declared): Policy {
  fields.checkNames(MAKER_FIELDS);
  const decide = fields.method('decide');
  const policy: DecisionMaker = {
    name: fields.name(declared.name),
    ...declaredBy(fields, declared, false),
    // What it returns is checked by the simulator at every call.
    decide: (view) => decide.call(self, view) as Iterable<Decision>,
  };
  return policy;
}

function baseName(path: string): string {
  const file = path.split(/[\\/]/).at(-1) ?? '';
  const stem = file.replace(/\.[a-z]+$/i, '').replace(/[^a-z0-9_.-]/gi, '-');
  return stem === '' ? 'policy' : stem;
}
