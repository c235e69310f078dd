import type { JobView } from '../../sim/job-view.ts';

/** Running jobs in the order of their expected ends; adding and removing is O(log n) and a shift. */
export class ExpectedEnds {
  readonly #endsS: number[] = [];
  readonly #jobs: JobView[] = [];
  readonly #endOf = new Map<number, number>();

  get size(): number {
    return this.#jobs.length;
  }
  job(position: number): JobView {
    return this.#jobs[position] as JobView;
  }
  endS(position: number): number {
    return this.#endsS[position] as number;
  }

  add(job: JobView, endS: number): void {
    const at = this.#search(endS);
    this.#endsS.splice(at, 0, endS);
    this.#jobs.splice(at, 0, job);
    this.#endOf.set(job.index, endS);
  }

  /** Does nothing when the job is not there. */
  remove(job: JobView): void {
    const endS = this.#endOf.get(job.index);
    if (endS === undefined) return;
    this.#endOf.delete(job.index);
    const at = this.#jobs.indexOf(job, this.#search(endS));
    this.#endsS.splice(at, 1);
    this.#jobs.splice(at, 1);
  }

  /** First position whose end is at least `endS`. */
  #search(endS: number): number {
    let low = 0;
    let high = this.#endsS.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#endsS[middle] as number) < endS) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
