import type {TestClient} from '@orch-api/orch/testing';

/** Lets a user do something with objects of types of the core group, or of another one, in a namespace. */
export async function allow(
  client: TestClient,
  namespace: string,
  name: string,
  verbs: readonly string[],
  resources: readonly string[],
  group = '',
): Promise<void> {
  const groups = (await client.get('/apis')).json<{groups: {name: string}[]}>().groups;
  const rbac = groups.find((each) => each.name.startsWith('rbac.authorization.'))!.name;
  const base = `/apis/${rbac}/v1/namespaces/${namespace}`;
  const role = `${name}-${verbs.join('-')}-${resources.join('-')}`;
  const made = [
    await client.post(`${base}/roles`, {metadata: {name: role}, rules: [{apiGroups: [group], resources, verbs}]}),
    await client.post(`${base}/rolebindings`, {
      metadata: {name: role},
      roleRef: {apiGroup: rbac, kind: 'Role', name: role},
      subjects: [{apiGroup: rbac, kind: 'User', name}],
    }),
  ];
  for (const {status, body} of made) if (status !== 201) throw new Error(body.toString());
}
