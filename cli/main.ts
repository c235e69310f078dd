#!/usr/bin/env node
import { existsSync, realpathSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { EXIT, failureOf } from '../harness/failure.ts';
import { packageVersion } from '../harness/program.ts';
import { addCalibrate } from './calibrate.ts';
import { addCompare } from './compare.ts';
import { addGpus } from './gpus.ts';
import { type Io, processIo } from './io.ts';
import { addPeers } from './peers.ts';
import { addPolicies } from './policies.ts';
import { addRun } from './run.ts';
import { addTraces } from './traces.ts';
import { addWorkloads } from './workloads.ts';

const EXIT_CODES_HELP = `
Exit codes: 0 done; 1 fault of the program; 2 bad usage or input; 3 an invariant broke;
4 no such hardware, driver or permission; 130 interrupted (what was finished is kept).`;

function createProgram(io: Io, exit: (code: number) => void): Command {
  // exitOverride and configureOutput are inherited by the commands that are added after them.
  const program = new Command('heshare')
    .description('A calibrated simulator of energy-aware GPU sharing in heterogeneous clusters.')
    .version(packageVersion())
    .addHelpText('after', EXIT_CODES_HELP)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.stdout.write(text),
      writeErr: (text) => io.stderr.write(text),
      outputError: (text, write) => {
        const [line = '', ...rest] = text
          .replace(/^error: /, '')
          .trim()
          .split('\n');
        write(`heshare: ${[line, ...rest].join(' ')}\n`);
      },
    });
  addCompare(program, io, exit);
  addRun(program, io, exit);
  addPolicies(program, io);
  addGpus(program, io);
  addWorkloads(program, io);
  addTraces(program, io, exit);
  addPeers(program, io, exit);
  addCalibrate(program, io);
  return program;
}

/**
 * The program: parses the arguments (without node and script), runs the command, and gives the exit
 * code. Never throws and never ends the process.
 */
export async function main(args: readonly string[], io: Io = processIo()): Promise<number> {
  let code: number = EXIT.done;
  try {
    const program = createProgram(io, (value) => {
      code = value;
    });
    await program.parseAsync([...args], { from: 'user' });
    return code;
  } catch (error) {
    // Commander has written its message, or the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.input;
    const { message, exitCode, stack } = failureOf(error);
    io.stderr.write(`heshare: ${message}\n`);
    if (stack !== null) io.stderr.write(`${stack}\n`);
    return exitCode;
  }
}

function isEntry(): boolean {
  const [, script] = process.argv;
  return (
    script !== undefined && existsSync(script) && realpathSync(script) === import.meta.filename
  );
}

if (isEntry()) {
  // A reader that has seen enough (head) is no error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    throw error;
  });
  process.exitCode = await main(process.argv.slice(2));
}
