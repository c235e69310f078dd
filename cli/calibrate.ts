import type { Command } from 'commander';
import { addCalibrateFit } from './calibrate-fit.ts';
import { addCalibrateValidate } from './calibrate-validate.ts';
import type { Io } from './io.ts';

/** `heshare calibrate fit | validate`: profiles from measurements, and how good they are. */
export function addCalibrate(parent: Command, io: Io): void {
  const group = parent
    .command('calibrate')
    .description('fit profiles to measurement files, and validate the model on held-out points');
  addCalibrateFit(group, io);
  addCalibrateValidate(group, io);
}
