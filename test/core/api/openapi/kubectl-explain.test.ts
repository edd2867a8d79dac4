import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {join} from 'node:path';
import {writeFileSync} from 'node:fs';
import test from 'ava';
import {buildGroupVersionDocument, pathPrefix} from '../../../../core/api/openapi/group-version-document.js';
import {buildOpenApiIndex, documentHash} from '../../../../core/api/openapi/openapi-index.js';
import type {GroupVersionInput} from '../../../../core/api/openapi/openapi-input.js';
import {findKubectls, kubectlFor} from '../../../helpers/kubectl.js';
import {tempFolder} from '../../../helpers/temp-folder.js';
import {sampleInputs} from './document-fixture.js';

// Earlier releases explain from OpenAPI v2.
const kubectls = findKubectls().filter(({minor}) => minor === undefined || minor >= 29);
const whereKubectl = kubectls.length > 0 ? test : test.skip;

/** Answers discovery and OpenAPI, and keeps the queries of creates. */
function startServer(inputs: readonly GroupVersionInput[], creates: string[]): Promise<Server> {
  const answers = new Map<string, string>();
  const entries = inputs.map((input) => {
    const text = JSON.stringify(buildGroupVersionDocument(input));
    const prefix = pathPrefix(input);
    const groupVersion = prefix.replace(/^\/apis?\//, '');
    answers.set(`/openapi/v3${prefix}`, text);
    const resources = input.resources.map(({plural, kind, namespaced, verbs}) => ({
      name: plural,
      singularName: kind.toLowerCase(),
      namespaced,
      kind,
      verbs,
    }));
    answers.set(prefix, JSON.stringify({kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources}));
    return {group: input.group, version: input.version, hash: documentHash(text), groupVersion};
  });
  const groups = entries
    .filter(({group}) => group !== '')
    .map(({group, version, groupVersion}) => ({
      name: group,
      versions: [{groupVersion, version}],
      preferredVersion: {groupVersion, version},
    }));
  answers.set('/api', JSON.stringify({kind: 'APIVersions', versions: ['v1'], serverAddressByClientCIDRs: []}));
  answers.set('/apis', JSON.stringify({kind: 'APIGroupList', apiVersion: 'v1', groups}));
  answers.set('/openapi/v3', JSON.stringify(buildOpenApiIndex(entries)));
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const chunks: Buffer[] = [];
    request
      .on('data', (chunk: Buffer) => chunks.push(chunk))
      .on('end', () => {
        if (request.method === 'POST') creates.push(url.search);
        const answer = request.method === 'POST' ? Buffer.concat(chunks).toString() : answers.get(url.pathname);
        response
          .writeHead(answer === undefined ? 404 : 200, {'content-type': 'application/json'})
          .end(answer ?? '{"kind":"Status","apiVersion":"v1","status":"Failure","code":404,"reason":"NotFound"}');
      });
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

whereKubectl('kubectl explains types from the documents and creates with field validation', async (t) => {
  const creates: string[] = [];
  const server = await startServer(Object.values(sampleInputs()), creates);
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const {port} = server.address() as AddressInfo;
  const kubeconfig = join(tempFolder(t, 'orch-explain-'), 'config');
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'c',
      clusters: [{name: 'c', cluster: {server: `http://127.0.0.1:${port}`}}],
      contexts: [{name: 'c', context: {cluster: 'c'}}],
    }),
  );
  for (const binary of kubectls) {
    const kubectl = kubectlFor(t, binary, kubeconfig);
    t.regex(await kubectl.ok(['explain', 'configmap.data']), /FIELD: data <map\[string\]string>[^]*Values that are text/, binary.path);
    t.regex(await kubectl.ok(['explain', 'secrets', '--recursive']), /ownerReferences\s+<\[\]OwnerReference>/);
    t.regex(await kubectl.ok(['explain', 'pods.spec.containers.resources']), /limits\s+<map\[string\]Quantity>/);
    t.regex(await kubectl.ok(['explain', 'lease.spec']), /holderIdentity\s+<string>/);
    t.regex(await kubectl.ok(['explain', 'crontabs.spec']), /schedule\s+<string>\s+When jobs run\./);
    // What suites look for in the explanation of any custom resource.
    const fields = await kubectl.ok(['explain', 'crontabs']);
    t.regex(fields, /apiVersion\s+<string>\s+APIVersion defines/, binary.path);
    t.regex(fields, /kind\s+<string>\s+Kind is a string value/);
    t.regex(fields, /metadata\s+<ObjectMeta>\s+Standard object's metadata/);
    t.regex(
      await kubectl.ok(['explain', 'crontabs.metadata']),
      /DESCRIPTION:\s+Standard object's metadata[^]*creationTimestamp\s+<string>\s+CreationTimestamp is a\s+timestamp/,
    );
    const object = JSON.stringify({apiVersion: 'v1', kind: 'ConfigMap', metadata: {name: 'a'}});
    await kubectl.ok(['create', '-f', '-', '--dry-run=server'], {input: object});
    t.regex(creates.at(-1) ?? '', /dryRun=All.*fieldValidation=Strict/);
  }
});
