import test from 'ava';
import {once} from 'node:events';
import {Worker} from 'node:worker_threads';

/** Begins to load what rules need, and uses it when so many steps have gone by. */
const program = `
  const {workerData: {root, steps}, parentPort} = require('node:worker_threads');
  (async () => {
    const {loadRuleLibraries, loadRules} = await import(root + 'core/api/object-schema/lazy-rules.js');
    const {SchemaCatalog} = await import(root + 'core/api/object-schema/schema-catalog.js');
    const {orch} = await import(root + 'core/api/naming/orch.js');
    const {CooperativeScheduler} = await import(root + 'sdk/index.js');
    const schema = {type: 'object', properties: {size: {type: 'integer'}}, 'x-kubernetes-validations': [{rule: 'self.size > 0'}]};
    const {node} = new SchemaCatalog(orch).fromInline(schema);
    const loading = loadRuleLibraries(new CooperativeScheduler().task('background', 'test'));
    for (let step = 0; step < steps; step += 1) await undefined;
    const check = loadRules(node);
    await loading;
    const faults = check({size: 0}, undefined, undefined).next();
    parentPort.postMessage({done: faults.done, faults: faults.value?.length});
  })().catch((error) => parentPort.postMessage(error.code ?? error.message));
`;

// Where exactly in between is a matter of Node.js: it refused to load what was being imported (ERR_REQUIRE_ESM_RACE_CONDITION).
for (const steps of [14, 18, 22, 26, 30, 34]) {
  test(`rules can be used while what they need is being loaded (after ${steps} steps)`, async (t) => {
    const worker = new Worker(program, {eval: true, workerData: {root: new URL('../../../../', import.meta.url).href, steps}});
    t.teardown(() => worker.terminate());
    const [answer] = (await once(worker, 'message')) as [unknown];
    t.deepEqual(answer, {done: true, faults: 1});
  });
}
