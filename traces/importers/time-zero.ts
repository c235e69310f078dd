/** Puts time 0 at the first submission of jobs whose submissions are seconds since 1970. */
export class TimeZero {
  #epochS = 0;

  /** Told the first submission: the seconds to take off all of them. */
  take(firstS: number): number {
    this.#epochS = firstS;
    return firstS;
  }

  /** For the report, after `take`; `clock` says what clock 1970 is on. */
  assumed(clock = 'UTC'): string {
    const stamp = new Date(this.#epochS * 1000).toISOString().replace(/\.\d+Z$/, '');
    return `time 0 is the first submission kept, ${stamp.replace('T', ' ')} ${clock}`;
  }
}
