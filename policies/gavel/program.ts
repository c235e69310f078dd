import { LinearProgram, type Solution, type Term } from '../lp/index.ts';
import {
  type Allocation,
  type AllocationProblem,
  isUsable,
  type JobGroup,
  type JobPair,
  pairsOf,
} from './problem.ts';

/** What a unit of time of a group alone, or of a pair, adds to the objective. */
export interface Worth {
  readonly alone: (group: number, type: number) => number;
  readonly together: (pair: number, type: number) => number;
}

const NO_WORTH: Worth = { alone: () => 0, together: () => 0 };

/**
 * The variables that all objectives of Gavel have, and the constraints: no job runs for more than all
 * of the time, and no type for more than it has GPUs (released code: `get_base_constraints`).
 *
 * A variable is the time of a whole group. That is exact: where jobs are alike, the mean of an optimum
 * over all ways to swap them is an optimum too, and gives each the same.
 */
export class AllocationProgram {
  readonly program: LinearProgram;
  readonly #problem: AllocationProblem;
  /** By group or pair, then type: its variable, or -1. */
  readonly #alone: number[][] = [];
  readonly #together: number[][] = [];
  /** By group: its summed throughput. */
  readonly #throughput: Term[][];

  constructor(problem: AllocationProblem, sense: 'maximise' | 'minimise', worth: Worth = NO_WORTH) {
    const { gpus, groups, pairs = [] } = problem;
    this.#problem = problem;
    this.program = new LinearProgram(sense);
    this.#throughput = groups.map(() => []);
    const time: Term[][] = groups.map(() => []);
    const load: Term[][] = gpus.map(() => []);
    groups.forEach(({ gang, throughputs }, group) => {
      this.#alone.push(
        gpus.map((_, type) => {
          if (!isUsable(problem, group, type)) return -1;
          const variable = this.program.addVariable({ cost: worth.alone(group, type) });
          time[group]?.push([variable, 1]);
          load[type]?.push([variable, gang]);
          this.#throughput[group]?.push([variable, throughputs[type] as number]);
          return variable;
        }),
      );
    });
    pairs.forEach(({ groups: [a, b], throughputs }, pair) => {
      const { gang } = groups[a] as JobGroup;
      const exists = pairsOf(problem, pairs[pair] as JobPair) > 0;
      this.#together.push(
        gpus.map((_, type) => {
          const [first, second] = throughputs[type] as readonly [number, number];
          if (!exists || !isUsable(problem, a, type) || !(first > 0) || !(second > 0)) return -1;
          const variable = this.program.addVariable({ cost: worth.together(pair, type) });
          load[type]?.push([variable, gang]);
          if (a === b) {
            time[a]?.push([variable, 2]);
            this.#throughput[a]?.push([variable, first + second]);
          } else {
            time[a]?.push([variable, 1]);
            time[b]?.push([variable, 1]);
            this.#throughput[a]?.push([variable, first]);
            this.#throughput[b]?.push([variable, second]);
          }
          return variable;
        }),
      );
    });
    time.forEach((terms, group) => {
      if (terms.length > 0) this.program.atMost(terms, (groups[group] as JobGroup).jobs);
    });
    load.forEach((terms, type) => {
      if (terms.length > 0) this.program.atMost(terms, gpus[type] as number);
    });
  }

  /** Summed throughput of a group, times a factor. */
  throughput(group: number, factor: number): Term[] {
    const terms = this.#throughput[group] as Term[];
    return terms.map(([variable, rate]): Term => [variable, rate * factor]);
  }

  /** Fractions of time of each job and of each two jobs. */
  allocation({ values }: Solution, objective: number): Allocation {
    const { groups, pairs = [] } = this.#problem;
    const divided = (variables: readonly number[], by: number): Float64Array =>
      Float64Array.from(variables, (variable) =>
        variable < 0 ? 0 : Math.min(1, Math.max(0, (values[variable] as number) / by)),
      );
    return {
      objective,
      alone: this.#alone.map((variables, group) =>
        divided(variables, (groups[group] as JobGroup).jobs),
      ),
      together: this.#together.map((variables, pair) =>
        divided(variables, pairsOf(this.#problem, pairs[pair] as JobPair)),
      ),
    };
  }
}
