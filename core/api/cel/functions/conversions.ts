import type {Environment} from '@marcbachmann/cel-js';
import {Duration} from '@marcbachmann/cel-js/evaluator';
import {formatDuration, parseDuration} from '../../../../sdk/values/duration.js';

const sync = {async: false};
const nanosPerSecond = 1_000_000_000n;

/** Time conversions that the library lacks, and `duration` in time linear in the length of its argument. */
export function addConversions(environment: Environment): void {
  environment
    .registerFunction('duration_(string): google.protobuf.Duration', durationOf, sync)
    .registerFunction(
      'string(google.protobuf.Duration): string',
      (value: Duration) => formatDuration(value.seconds * nanosPerSecond + BigInt(value.nanos)),
      sync,
    )
    .registerFunction('string(google.protobuf.Timestamp): string', timestampText, sync)
    .registerFunction('int(google.protobuf.Timestamp): int', (value: Date) => BigInt(Math.floor(millisOf(value) / 1000)), sync)
    .registerFunction('google.protobuf.Duration.getHours_(): int', (value: Duration) => value.getHours(), sync)
    .registerFunction('google.protobuf.Duration.getMinutes_(): int', (value: Duration) => value.getMinutes(), sync)
    .registerFunction('google.protobuf.Duration.getSeconds_(): int', (value: Duration) => value.getSeconds(), sync)
    .registerFunction('google.protobuf.Duration.getMilliseconds_(): int', (value: Duration) => value.getMilliseconds(), sync);
}

function timestampText(value: Date): string {
  return new Date(millisOf(value)).toISOString().replace('.000Z', 'Z');
}

/** @throws Error for times beyond what a date can be, as sums may be */
function millisOf(value: Date): number {
  const millis = value.getTime();
  if (Number.isNaN(millis)) throw new Error('timestamp out of range');
  return millis;
}

/** @throws Error if the text is not a duration */
export function durationOf(text: string): Duration {
  const nanoseconds = text.length > 100 ? undefined : parseDuration(text);
  if (nanoseconds === undefined) throw new Error(`invalid duration ${JSON.stringify(text.slice(0, 100))}`);
  return new Duration(nanoseconds / nanosPerSecond, Number(nanoseconds % nanosPerSecond));
}
