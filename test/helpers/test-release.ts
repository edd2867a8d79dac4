import {defaultReleaseOf} from '../../core/api/lifetimes/releases.js';

/** The release of servers that tests start without naming one: that of the run (`ORCH_TEST_RELEASE`). */
export const testRelease = process.env['ORCH_TEST_RELEASE'] ?? defaultReleaseOf();
