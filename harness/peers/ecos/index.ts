// The interior-point solver that peers written in Python used, for replays.

export { type ConicProgram, type ConicRow, conicForm } from './conic-program.ts';
export { ecosPoint } from './solver.ts';
