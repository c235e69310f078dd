import { fits, type ShareNode, type ShareTask } from './node.ts';
import type { Candidate, NodeScore } from './scores.ts';

/** A node and GPUs on it for a task. */
export interface Choice {
  readonly node: number;
  readonly gpus: readonly number[];
}

/** Scores of all nodes that a task fits, from what is known of each; in order. */
export type Rescore = (candidates: readonly Candidate[]) => readonly number[];

/**
 * The node of the best score; ties go to the smaller name. Scores of a kind of task are kept until their
 * node changes, so a choice costs one comparison a node.
 */
export class NodeChooser {
  readonly #nodes: readonly ShareNode[];
  readonly #score: NodeScore;
  readonly #rescore: Rescore | null;
  /** Place of each node in the order of names. */
  readonly #byName: readonly number[];
  /** By kind of task and node: null where it does not fit, undefined where it is not known. */
  readonly #known = new Map<number | string, (Candidate | null | undefined)[]>();

  /** @param rescore final scores, for rules that compare a node with the others */
  constructor(nodes: readonly ShareNode[], score: NodeScore, rescore: Rescore | null = null) {
    this.#nodes = nodes;
    this.#score = score;
    this.#rescore = rescore;
    this.#byName = nodes
      .map((_, index) => index)
      .sort((a, b) => compare(nodes[a] as ShareNode, nodes[b] as ShareNode));
  }

  /** To be told of every change of a node. */
  changed(node: number): void {
    for (const candidates of this.#known.values()) candidates[node] = undefined;
  }

  /** To be told when the rule has learned something: all nodes are scored anew. */
  forget(): void {
    for (const candidates of this.#known.values()) candidates.length = 0;
  }

  /**
   * The best node for a task, or null when it fits none.
   *
   * @param kind the same for tasks that are alike in all fields
   */
  choose(task: ShareTask, kind: number | string = kindOf(task)): Choice | null {
    const known = this.#of(kind);
    const rescored = this.#rescore === null ? null : this.#rescoredIn(known, task);
    let best: Candidate | null = null;
    let bestScore = -Infinity;
    let bestNode = -1;
    let rank = 0;
    for (const index of this.#byName) {
      const candidate = this.#candidate(known, index, task);
      if (candidate === null) continue;
      const score = rescored === null ? candidate.score : (rescored[rank] as number);
      rank += 1;
      if (score <= bestScore) continue;
      best = candidate;
      bestScore = score;
      bestNode = index;
    }
    return best === null ? null : { node: bestNode, gpus: best.gpus };
  }

  #rescoredIn(known: (Candidate | null | undefined)[], task: ShareTask): readonly number[] | null {
    const candidates: Candidate[] = [];
    for (const index of this.#byName) {
      const candidate = this.#candidate(known, index, task);
      if (candidate !== null) candidates.push(candidate);
    }
    return this.#rescore?.(candidates) ?? null;
  }

  #candidate(
    known: (Candidate | null | undefined)[],
    index: number,
    task: ShareTask,
  ): Candidate | null {
    let candidate = known[index];
    if (candidate === undefined) {
      const node = this.#nodes[index] as ShareNode;
      candidate = fits(node, task) ? this.#score(node, task) : null;
      known[index] = candidate;
    }
    return candidate;
  }

  #of(kind: number | string): (Candidate | null | undefined)[] {
    let known = this.#known.get(kind);
    if (known === undefined) {
      known = [];
      this.#known.set(kind, known);
    }
    return known;
  }
}

function kindOf({ cpuMilli, memoryMib, gpuCount, gpuMilli, models }: ShareTask): string {
  return `${cpuMilli}|${memoryMib}|${gpuCount}|${gpuMilli}|${models.join('|')}`;
}

function compare(a: ShareNode, b: ShareNode): number {
  if (a.name === b.name) return 0;
  return a.name < b.name ? -1 : 1;
}
