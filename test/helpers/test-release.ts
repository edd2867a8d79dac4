import {gatesAtRelease} from '../../core/api/gates/gates-at-release.js';
import {defaultReleaseOf} from '../../core/api/lifetimes/releases.js';

/** The release of servers that tests start without naming one: that of the run (`ORCH_TEST_RELEASE`). */
export const testRelease = process.env['ORCH_TEST_RELEASE'] ?? defaultReleaseOf();

/** Whether that release has a feature gate on by default. */
export function isOnInTestRelease(gate: string): boolean {
  return gatesAtRelease(testRelease).get(gate)?.enabled === true;
}
