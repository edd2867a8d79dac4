import type {ExecutionContext, TestFn} from 'ava';
import {closeConformance} from './close-conformance.js';
import {commitConformance} from './commit-conformance.js';
import {compactionConformance} from './compaction-conformance.js';
import {followConformance} from './follow-conformance.js';
import {guardConformance} from './guard-conformance.js';
import {historyConformance} from './history-conformance.js';
import {namesConformance} from './names-conformance.js';
import {revisionConformance} from './revision-conformance.js';
import type {StoreHarnessFactory, StoreTest} from './store-harness.js';
import {valuesConformance} from './values-conformance.js';
import {warmUpConformance} from './warm-up-conformance.js';

export type {StoreHarness, StoreHarnessFactory} from './store-harness.js';

/**
 * The suite that every implementation of `Store` passes. Declares its tests with `test`, each title starting with `name`.
 * `harness` is called once a test and gives an empty store of its own.
 */
export function storeConformance(test: TestFn, name: string, harness: StoreHarnessFactory): void {
  const declare =
    (add: (title: string, run: (t: ExecutionContext) => Promise<void>) => void): StoreTest =>
    (title, body) => {
      add(`${name}: ${title}`, async (t) => {
        t.timeout(90_000);
        const opened = await harness(t);
        t.teardown(() => opened.close());
        await body(t, opened);
      });
    };
  const tests = {
    test: declare((title, run) => test(title, run)),
    alone: declare((title, run) => test.serial(title, run)),
  };
  commitConformance(tests);
  guardConformance(tests);
  revisionConformance(tests);
  followConformance(tests);
  warmUpConformance(tests);
  historyConformance(tests);
  compactionConformance(tests);
  valuesConformance(tests);
  namesConformance(tests);
  closeConformance(tests);
}
