import type {JsonName} from '@peculiar/x509';
import {testOnEachStore} from '../../../helpers/each-store.js';
import {Roles} from '../../authorizers/rbac/roles.js';
import {conditionTypes, decide, keyedRequest, makeRequest, nodeSubject, nodeUsages, readRequest, settled} from './requests.js';

const storeTest = testOnEachStore();
const signerName = 'orch/apiserver-client-nodeagent';
const as = (user: string, group: string) => ({'Impersonate-User': user, 'Impersonate-Group': group});

storeTest(
  '[A-CSRST-5] [B-CERT-6] requests for client certificates of nodes are approved for whoever may create nodeclient, or selfnodeclient for itself',
  async (t, {client, namespace, server}) => {
    const roles = new Roles(t, server);
    const makers = `${namespace}:makers`;
    await roles.clusterRole(makers, [{verbs: ['create'], apiGroups: ['certificates.orch'], resources: ['certificatesigningrequests']}]);
    await roles.bindCluster(makers, {kind: 'Group', apiGroup: 'rbac.authorization.orch', name: makers});
    for (const [kind, user] of [
      ['nodeclient', `${namespace}:joining`],
      ['selfnodeclient', `system:node:${namespace}`],
    ] as const) {
      await roles.clusterRole(`${namespace}:${kind}`, [
        {verbs: ['create'], apiGroups: ['certificates.orch'], resources: [`certificatesigningrequests/${kind}`]},
      ]);
      await roles.bindCluster(`${namespace}:${kind}`, {kind: 'User', apiGroup: 'rbac.authorization.orch', name: user});
    }
    const own: JsonName = [{O: ['system:nodes']}, {CN: [`system:node:${namespace}`]}];
    const make = async (name: string, user: string, subject: JsonName = nodeSubject, usages = nodeUsages) => {
      const {request} = await keyedRequest(subject);
      return makeRequest(client, `${namespace}-${name}`, {request, signerName, usages}, as(user, makers));
    };
    await make('nobody', `${namespace}:stranger`);
    await make('other', `system:node:${namespace}`);
    await make('invalid', `${namespace}:joining`, nodeSubject, ['client auth']);
    await make('no-node', `${namespace}:joining`, [{O: ['system:nodes']}, {CN: ['jo']}]);
    await make('self', `system:node:${namespace}`, own);
    await make('joining', `${namespace}:joining`);
    for (const name of ['self', 'joining']) {
      const signed = await settled(client, `${namespace}-${name}`);
      t.truthy(signed.status?.certificate, name);
      const message = `Auto approving ${name === 'self' ? 'self ' : ''}kubelet client certificate after SubjectAccessReview.`;
      t.like(signed.status?.conditions?.[0], {type: 'Approved', status: 'True', reason: 'AutoApproved', message});
    }
    for (const name of ['nobody', 'other', 'invalid', 'no-node']) {
      t.deepEqual(conditionTypes(await readRequest(client, `${namespace}-${name}`)), [], name);
    }
    // Whoever is given the permission later need not ask again.
    await make('denied', `${namespace}:stranger`);
    await decide(client, `${namespace}-denied`, 'Denied');
    const subject = {kind: 'User', apiGroup: 'rbac.authorization.orch', name: `${namespace}:stranger`};
    const roleRef = {kind: 'ClusterRole', apiGroup: 'rbac.authorization.orch', name: `${namespace}:nodeclient`};
    const binding = {metadata: {name: `${namespace}:later`}, roleRef, subjects: [subject]};
    t.is((await client.post('/apis/rbac.authorization.orch/v1/clusterrolebindings', binding)).status, 201);
    t.truthy((await settled(client, `${namespace}-nobody`)).status?.certificate);
    t.deepEqual(conditionTypes(await readRequest(client, `${namespace}-denied`)), ['Denied']);
  },
);

storeTest('without csrapproving a request for the client certificate of a node waits for somebody', async (t, {start}) => {
  const {client} = await start({controllers: ['*', '-csrapproving']});
  const {request} = await keyedRequest(nodeSubject);
  await makeRequest(client, 'waiting', {request, signerName, usages: nodeUsages});
  await makeRequest(client, 'approved', {request, signerName, usages: nodeUsages});
  await decide(client, 'approved', 'Approved');
  t.truthy((await settled(client, 'approved')).status?.certificate);
  t.deepEqual(conditionTypes(await readRequest(client, 'waiting')), []);
});
