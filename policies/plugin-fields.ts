import { InputError, nearest } from '../sim/errors.ts';

/** Any function of a user's module. */
export type AnyFunction = (this: unknown, ...args: readonly unknown[]) => unknown;

/** Reads fields of an object that a user's module exports, with errors that name file and field. */
export class ModuleFields {
  readonly #fields: Readonly<Record<string, unknown>>;
  readonly #path: string;

  /** @throws {InputError} when `value` is no object; `what` names it */
  constructor(value: unknown, what: string, path: string) {
    this.#path = path;
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.fail(`${what} is ${kindOf(value)}, expected an object`);
    }
    this.#fields = value as Readonly<Record<string, unknown>>;
  }

  fail(detail: string): never {
    throw new InputError(this.#path, null, null, detail);
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  isText(name: string): boolean {
    return typeof this.#fields[name] === 'string';
  }

  /** Refuses fields that are a slip of the pen for a known one; others are the user's own. */
  checkNames(known: readonly string[]): void {
    for (const name of Object.keys(this.#fields)) {
      const close = known.includes(name) ? null : nearest(name, known);
      if (close !== null && !this.has(close)) {
        this.fail(`unknown field '${name}', did you mean '${close}'?`);
      }
    }
  }

  name(fallback?: string): string {
    const name = this.#fields.name ?? fallback;
    if (typeof name === 'string' && /^[a-z0-9][a-z0-9_.-]*$/i.test(name)) return name;
    const found = typeof name === 'string' ? `'${name}'` : kindOf(name);
    return this.fail(`name is ${found}, expected letters, digits, '-', '_' and '.'`);
  }

  text(name: string, fallback: string): string {
    const value = this.#fields[name] ?? fallback;
    return typeof value === 'string' ? value : this.#fail(name, 'text');
  }

  number(name: string, fallback: number): number {
    const value = this.#fields[name] ?? fallback;
    return typeof value === 'number' && value >= 0 ? value : this.#fail(name, 'a number >= 0');
  }

  choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const value = this.#fields[name] ?? fallback;
    const found = choices.find((choice) => choice === value);
    return found ?? this.#fail(name, `one of: ${choices.join(', ')}`);
  }

  method(name: string): AnyFunction {
    const value = this.#fields[name];
    return typeof value === 'function' ? (value as AnyFunction) : this.#fail(name, 'a function');
  }

  object(name: string): ModuleFields {
    return new ModuleFields(this.#fields[name] ?? {}, name, this.#path);
  }

  list(name: string): readonly unknown[] {
    const value = this.#fields[name] ?? [];
    return Array.isArray(value) ? value : this.#fail(name, 'a list');
  }

  #fail(name: string, expected: string): never {
    const value = this.#fields[name];
    const found = typeof value === 'string' ? `'${value}'` : kindOf(value);
    return this.fail(`${name} is ${found}, expected ${expected}`);
  }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined || typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'function') return 'a function';
  return typeof value === 'object' ? 'an object' : typeof value;
}
