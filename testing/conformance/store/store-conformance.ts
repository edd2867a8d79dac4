import {checks} from '../checks.js';
import type {ConformanceTest} from '../conformance-test.js';
import {closeConformance} from './close-conformance.js';
import {commitConformance} from './commit-conformance.js';
import {compactionConformance} from './compaction-conformance.js';
import {followConformance} from './follow-conformance.js';
import {guardConformance} from './guard-conformance.js';
import {historyConformance} from './history-conformance.js';
import {namesConformance} from './names-conformance.js';
import {revisionConformance} from './revision-conformance.js';
import type {StoreHarness, StoreTest} from './store-harness.js';
import {valuesConformance} from './values-conformance.js';
import {warmUpConformance} from './warm-up-conformance.js';

/**
 * The suite that every implementation of `Store` passes.
 *
 * @param harness called once a test: an empty store of its own. It gets what the runner gives to a test
 */
export function storeConformance<C = unknown>(harness: (context: C) => StoreHarness | Promise<StoreHarness>): ConformanceTest<C>[] {
  const tests: ConformanceTest<C>[] = [];
  const declare =
    (alone: boolean): StoreTest =>
    (title, body) => {
      const run = async (context: C) => {
        const opened = await harness(context);
        try {
          await body(checks, opened);
        } finally {
          await opened.close();
        }
      };
      tests.push({title, alone, timeoutMillis: 90_000, run});
    };
  const both = {test: declare(false), alone: declare(true)};
  commitConformance(both);
  guardConformance(both);
  revisionConformance(both);
  followConformance(both);
  warmUpConformance(both);
  historyConformance(both);
  compactionConformance(both);
  valuesConformance(both);
  namesConformance(both);
  closeConformance(both);
  return tests;
}
