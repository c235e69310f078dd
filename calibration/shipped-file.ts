import type { GpuType, Provenance, Workload, WorkloadProfile } from '../sim/gpu/profile.ts';

/**
 * Shipped files say each source once, in a list `sources`; a provenance there is a place in it. These
 * functions go from plain profiles to that form and back.
 */

type Plain = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is Plain =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A copy in which the tables under every `provenance` are changed. */
function withProvenance(value: unknown, change: (entry: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withProvenance(item, change));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'provenance' && isPlain(inner)
        ? Object.fromEntries(Object.entries(inner).map(([field, entry]) => [field, change(entry)]))
        : withProvenance(inner, change),
    ]),
  );
}

/** The text of a shipped file: sources said once, lists of numbers and small objects on one line. */
export function shippedText(content: Plain): string {
  const sources: Provenance[] = [];
  const places = new Map<string, number>();
  const short = withProvenance(content, (entry) => {
    const key = JSON.stringify(entry);
    const place = places.get(key) ?? sources.length;
    if (place === sources.length) sources.push(entry as Provenance);
    places.set(key, place);
    return place;
  });
  return `${layout({ sources, ...(short as Plain) }, '')}\n`;
}

/** A profile of a shipped file: its workload and GPU type are the keys above it. */
type FileProfile = Omit<WorkloadProfile, 'workload' | 'gpuType'>;

interface FileContent {
  readonly gpus?: readonly GpuType[];
  readonly workloads?: readonly (Omit<Workload, 'onGpu'> & {
    readonly onGpu: Readonly<Record<string, FileProfile>>;
  })[];
}

/** What a shipped file holds. */
export interface ShippedContent {
  readonly gpus: readonly GpuType[];
  readonly workloads: readonly Workload[];
}

/**
 * The content of a shipped file with every source in its place. Our own files are complete and not
 * checked here, which would take most of the time that the program needs to start; tests do it.
 *
 * @throws {RangeError} where a source is missing
 */
export function parseShipped(text: string): ShippedContent {
  const { gpus = [], workloads = [] } = expandSources(text) as FileContent;
  return {
    gpus,
    workloads: workloads.map((workload) => ({
      ...workload,
      onGpu: Object.fromEntries(
        Object.entries(workload.onGpu).map(([gpuType, profile]): [string, WorkloadProfile] => [
          gpuType,
          { workload: workload.name, gpuType, ...profile },
        ]),
      ),
    })),
  };
}

/** A shipped file as a user could have written it: each provenance in full. */
export function expandSources(text: string): Plain {
  const parsed: unknown = JSON.parse(text);
  if (!isPlain(parsed) || !Array.isArray(parsed.sources)) {
    throw new RangeError('expected a shipped profile file with sources');
  }
  const { sources, ...content } = parsed;
  return withProvenance(content, (entry) => {
    const found: unknown = typeof entry === 'number' ? sources[entry] : undefined;
    if (found === undefined) throw new RangeError(`expected a source ${String(entry)}`);
    return found;
  }) as Plain;
}

const LINE = 100;

/** JSON of which whatever fits on a line is on one, and lists of plain values always are. */
function layout(value: unknown, indent: string): string {
  const flat = JSON.stringify(value);
  const isLeafList = Array.isArray(value) && value.every((item) => typeof item !== 'object');
  if (isLeafList || flat.length + indent.length <= LINE) return flat;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => `${inner}${layout(item, inner)}`);
    return `[\n${items.join(',\n')}\n${indent}]`;
  }
  if (!isPlain(value)) return flat;
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .map(([key, field]) => `${inner}${JSON.stringify(key)}: ${layout(field, inner)}`);
  return `{\n${fields.join(',\n')}\n${indent}}`;
}
