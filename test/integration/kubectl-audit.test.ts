import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import test from 'ava';
import {startTestServer} from '@orch-api/orch/testing';
import {auditedIntoFile} from '../helpers/audit-log.js';
import {findKubectls, kubectlFor} from '../helpers/kubectl.js';
import {projectRoot} from '../helpers/project-root.js';
import {tempFolder} from '../helpers/temp-folder.js';

const binary = findKubectls().at(-1);

(binary ? test : test.skip)(
  'with the policy that is shipped kubectl leaves what it wrote, but nothing of a Secret or a token',
  async (t) => {
    const auditPolicyFile = join(tempFolder(t), 'policy.yaml');
    const text = readFileSync(join(projectRoot(), 'docs', 'audit-policy.yaml'), 'utf8');
    writeFileSync(auditPolicyFile, text.replaceAll(/\b(audit|authentication|coordination)\.orch\b/g, '$1.k8s.io'));
    const log = auditedIntoFile(t, {});
    const server = await startTestServer({...log.options, auditPolicyFile, platform: 'kubernetes'});
    t.teardown(() => server.stop());
    const kubectl = kubectlFor(t, binary!, server.kubeconfig);
    await kubectl.ok(['create', 'secret', 'generic', 'hidden', '--from-literal=password=hunter-2-word']);
    await kubectl.ok(['get', 'secret', 'hidden', '-o', 'yaml']);
    const token = (await kubectl.ok(['create', 'token', 'default'])).trim();
    await kubectl.ok(['create', 'deployment', 'shown', '--image=registry.example.com/shown']);
    await kubectl.ok(['delete', 'deployment', 'shown', '--wait=false']);
    const content = readFileSync(log.path, 'utf8');
    for (const secret of ['hunter-2-word', Buffer.from('hunter-2-word').toString('base64'), token]) t.false(content.includes(secret));
    const events = log.events().filter(({user}) => user.username === 'kubernetes-admin');
    const of = (resource: string, verb: string) =>
      events.find((event) => event.objectRef?.['resource'] === resource && event.verb === verb);
    t.like(of('secrets', 'create'), {
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      objectRef: {name: 'hidden'},
      responseStatus: {code: 201},
    });
    t.like(of('secrets', 'get'), {level: 'Metadata', requestObject: undefined, responseObject: undefined});
    t.like(of('serviceaccounts', 'create'), {level: 'Metadata', objectRef: {subresource: 'token'}});
    t.like(of('deployments', 'create'), {level: 'Request', requestObject: {kind: 'Deployment', metadata: {name: 'shown'}}});
    t.regex(of('deployments', 'create')!.userAgent!, /^kubectl/);
    t.is(of('deployments', 'create')!.annotations!['authorization.k8s.io/decision'], 'allow');
    t.like(of('deployments', 'delete'), {level: 'Request', requestObject: {propagationPolicy: 'Background'}});
  },
);
