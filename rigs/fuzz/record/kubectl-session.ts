import {findKubectls, kubectlFor} from '../../../test/helpers/kubectl.js';
import type {Teardown} from '../../../test/helpers/temp-folder.js';

const deployment = (name: string, image = 'nginx:1') => `apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, labels: {app: ${name}}}
spec:
  replicas: 2
  selector: {matchLabels: {app: ${name}}}
  template:
    metadata: {labels: {app: ${name}}}
    spec:
      containers:
      - {name: main, image: '${image}', ports: [{containerPort: 80, name: web}], env: [{name: A, value: b}]}
`;

const several = `apiVersion: v1
kind: List
items:
- {apiVersion: v1, kind: ConfigMap, metadata: {name: one}, data: {a: b}}
- {apiVersion: v1, kind: Secret, metadata: {name: one}, stringData: {a: b}}
- {apiVersion: v1, kind: Service, metadata: {name: one}, spec: {selector: {app: web}, ports: [{port: 80, targetPort: web}]}}
`;

const definition = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.shop.example}
spec:
  group: shop.example
  scope: Namespaced
  names: {plural: widgets, singular: widget, kind: Widget, shortNames: [wd]}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    additionalPrinterColumns: [{name: Size, type: string, jsonPath: .spec.size}]
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            x-kubernetes-validations: [{rule: 'self.replicas < 100'}]
            properties:
              size: {type: string, enum: [small, large], default: small}
              replicas: {type: integer, default: 1}
              parts: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], items: {type: object, required: [name], properties: {name: {type: string}, count: {type: integer}}}}
              free: {type: object, x-kubernetes-preserve-unknown-fields: true}
              port: {x-kubernetes-int-or-string: true}
          status: {type: object, properties: {replicas: {type: integer}}}
`;

const widget = `apiVersion: shop.example/v1
kind: Widget
metadata: {name: one}
spec: {size: large, parts: [{name: a, count: 1}], free: {x: [1, {y: z}]}, port: 80}
`;

/** A command line, and what is typed into it. */
type Step = readonly [command: string, input?: string];

const steps: readonly Step[] = [
  ['api-resources'],
  ['api-versions'],
  ['version'],
  ['cluster-info'],
  ['get --raw /readyz?verbose'],
  ['get --raw /openapi/v3'],
  ['create namespace shop'],
  ['apply -f -', deployment('web')],
  ['apply -f -', deployment('web', 'nginx:2')],
  ['apply --server-side -f -', deployment('api')],
  ['apply --server-side --force-conflicts --field-manager other -f -', deployment('api', 'nginx:3')],
  ['create -f -', several],
  ['replace -f -', several.replaceAll('{a: b}', '{a: c}')],
  ['diff -f -', deployment('web', 'nginx:9')],
  ['get all'],
  ['get all --output yaml'],
  ['get deployments,configmaps,secrets,services --output wide --show-labels'],
  ['get configmaps --all-namespaces --chunk-size 1'],
  ['get configmaps --selector app=web --field-selector metadata.name=one --output json'],
  ['get events --sort-by .metadata.creationTimestamp'],
  ['get nodes,persistentvolumes,namespaces,clusterroles,storageclasses'],
  ['describe deployment web'],
  ['describe configmap one'],
  ['describe service one'],
  ['explain deployment.spec.template --recursive'],
  ['label configmap one tier=front --overwrite'],
  ['annotate configmap one note=text'],
  ['label configmap one tier-'],
  ['patch configmap one --type merge --patch {"data":{"x":"y"}}'],
  [
    'patch configmap one --type json --patch [{"op":"add","path":"/data/z","value":"1"},{"op":"test","path":"/data/z","value":"1"},{"op":"remove","path":"/data/z"}]',
  ],
  ['patch deployment web --type strategic --patch {"spec":{"template":{"spec":{"containers":[{"name":"side","image":"envoy:1"}]}}}}'],
  ['patch deployment web --subresource status --type merge --patch {"status":{"replicas":2}}'],
  ['scale deployment web --replicas 3'],
  ['scale deployment web --replicas 4 --current-replicas 3'],
  ['set image deployment/web main=nginx:4'],
  ['set env deployment/web A=c'],
  ['set resources deployment/web --limits cpu=1,memory=1Gi'],
  ['autoscale deployment web --min 1 --max 5 --cpu-percent 80'],
  ['expose deployment web --port 80 --name web'],
  ['rollout restart deployment/web'],
  ['rollout history deployment/web'],
  ['rollout pause deployment/web'],
  ['run pod --image nginx:1 --restart Never --port 80 --labels app=pod'],
  ['create configmap files --from-literal a=b --from-literal c=d'],
  ['create secret generic keys --from-literal a=b'],
  ['create secret docker-registry registry --docker-username u --docker-password p --docker-server s.example'],
  ['create service clusterip plain --tcp 80:8080'],
  ['create service nodeport node --tcp 80:8080'],
  ['create ingress web --rule a.example/x*=web:80'],
  ['create job once --image busybox -- true'],
  ['create cronjob nightly --image busybox --schedule "0 0 * * *" -- true'],
  ['create quota most --hard pods=10,cpu=2'],
  ['create poddisruptionbudget web --selector app=web --min-available 1'],
  ['create priorityclass high --value 1000'],
  ['create serviceaccount robot'],
  ['create token robot --duration 1h'],
  ['create role reader --verb get,list --resource configmaps,secrets'],
  ['create rolebinding reader --role reader --serviceaccount shop:robot'],
  ['create clusterrole nodes --verb get --resource nodes --non-resource-url /metrics'],
  ['create clusterrolebinding nodes --clusterrole nodes --group watchers'],
  ['auth can-i list configmaps --as jo --as-group readers'],
  ['auth can-i --list'],
  ['get configmaps --as jo'],
  ['wait --for jsonpath={.data.x}=y configmap/one --timeout 2s'],
  ['create -f -', definition],
  ['wait --for condition=Established customresourcedefinition/widgets.shop.example --timeout 5s'],
  ['apply -f -', widget],
  ['apply --server-side -f -', widget.replace('large', 'small')],
  ['get widgets --output wide'],
  ['scale widget one --replicas 3'],
  ['patch widget one --type merge --patch {"spec":{"parts":[{"name":"b"}]}}'],
  ['create -f - --dry-run=server', several],
  ['create -f - --validate=strict', several.replace('data:', 'datum:')],
  ['logs pod'],
  ['exec pod -- true'],
  ['evict pod'],
  ['cordon none'],
  ['delete pod pod --grace-period 0 --force'],
  ['delete configmap files --wait=false'],
  ['delete configmaps --all'],
  ['delete deployment api --cascade orphan'],
  ['delete widget one'],
  ['delete namespace shop --wait=false'],
];

/** Splits a command at blanks, but for what stands in double quotes that begin an argument. */
function words(command: string): string[] {
  return (command.match(/(?:^|(?<= ))"[^"]*"|\S+/g) ?? []).map((word) => word.replace(/^"([^"]*)"$/, '$1'));
}

/** What people do with kubectl. Commands that fail are traffic too. */
export async function kubectlSession(t: Teardown, kubeconfig: string): Promise<void> {
  const binary = findKubectls().at(-1);
  if (!binary) throw new Error('kubectl is needed for a recording');
  const kubectl = kubectlFor(t, binary, kubeconfig);
  const watch = kubectl.start(['get', 'configmaps', '--all-namespaces', '--watch']);
  for (const [command, input] of steps) {
    const namespaced = /namespace|api-|version|cluster-info|--raw|all-namespaces/.test(command) ? [] : ['--namespace', 'shop'];
    await kubectl.run([...namespaced, ...words(command)], input === undefined ? {} : {input});
  }
  watch.child.kill('SIGKILL');
}
