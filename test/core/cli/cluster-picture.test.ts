import test from 'ava';
import {clusterPicture, type ShownPod} from '../../../core/cli/cluster/cluster-picture.js';
import {shownNode, shownPod} from '../../../core/cli/cluster/cluster-view.js';

const nodes = Array.from({length: 5}, (_, index) => ({name: `node-${index + 1}`, isReady: index !== 1, isCordoned: index === 2}));
const pods = (node: string, count: number, state: ShownPod['state']): ShownPod[] => Array.from({length: count}, () => ({node, state}));

test('a picture has a mark for each pod, behind its node, and counts what there is no room for', (t) => {
  const all = [...pods('node-1', 2, 'ready'), ...pods('node-1', 1, 'failing'), ...pods('node-2', 23, 'done'), ...pods('', 4, 'starting')];
  const lines = clusterPicture(nodes, all, {columns: 80, rows: 24}, false).split('\n');
  t.is(lines[0], '5 nodes, 4 ready    30 pods: ■ 2 ready  □ 4 starting  × 1 failing  · 23 done');
  t.is(lines[1], '4 without a node');
  t.regex(lines[3]!, /^● node-1■■× +○ node-2·{20}\+3 +$/);
  t.regex(lines[4]!, /^◌ node-3 +● node-4 +$/);
});

test('a picture is never larger than the terminal', (t) => {
  const many = Array.from({length: 1000}, (_, index) => ({name: `node-${index + 1}`, isReady: true, isCordoned: false}));
  const lines = clusterPicture(many, [], {columns: 100, rows: 20}, false).split('\n');
  t.true(lines.length <= 20);
  t.true(lines.every((line) => line.length <= 100));
  t.regex(lines.at(-1)!, /^… and \d+ more$/);
});

test('nodes and pods are drawn by what their statuses say', (t) => {
  t.deepEqual(shownNode({metadata: {name: 'a'}, spec: {unschedulable: true}, status: {conditions: [{type: 'Ready', status: 'Unknown'}]}}), {
    name: 'a',
    isReady: false,
    isCordoned: true,
  });
  t.is(shownPod({status: {phase: 'Running', conditions: [{type: 'Ready', status: 'True'}]}}).state, 'ready');
  t.is(shownPod({status: {phase: 'Running', containerStatuses: [{state: {waiting: {reason: 'CrashLoopBackOff'}}}]}}).state, 'failing');
  t.is(shownPod({status: {phase: 'Succeeded'}}).state, 'done');
  t.is(shownPod({}).state, 'starting');
});
