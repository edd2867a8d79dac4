import type {PodRow, Situation} from './situation.js';

type Asked = Readonly<Record<string, string>>;

const container = (name: string, asked: Asked, more: object = {}) => ({
  name,
  image: 'registry.example.com/app:1',
  resources: {requests: asked, limits: asked},
  ...more,
});
const pod = (containers: readonly object[], more: object = {}): PodRow => ({spec: {containers, ...more} as PodRow['spec'] & object});
const asking = (asked: Asked, more: object = {}): PodRow => pod([container('c', asked)], more);
const gpu = 'example.com/gpu';
const device = (name: string, model = 'small') => ({name, attributes: {model: {string: model}}});
const devices = (...names: readonly string[]) => ({devices: names.map((name) => device(name))});
const classes = {gpu: 'device.driver == "gpu.example.com"'};
const resources = {gpu};
const two = {classes, resources, pools: {a: devices('g0', 'g1')}, claims: {}};

/** Those in which pods ask for devices by names of resources. */
export const resourceSituations: readonly Situation[] = [
  {name: 'a resource that a class gives', nodes: {a: {}, b: {}}, devices: two, pod: asking({[gpu]: '1'})},
  {
    name: 'a resource by the name of a class',
    nodes: {a: {}},
    devices: {...two, resources: {}},
    pod: asking({'deviceclass.resource.kubernetes.io/gpu': '2'}),
  },
  {name: 'more of a resource than a class gives', nodes: {a: {}, b: {}}, devices: two, pod: asking({[gpu]: '3'})},
  {
    name: 'a resource that another class gives',
    nodes: {a: {}},
    devices: {...two, resources: {gpu: 'example.com/tpu'}},
    pod: asking({[gpu]: '1'}),
  },
  {name: 'a resource that a node has itself', nodes: {a: {allocatable: {[gpu]: '1'}}}, devices: two, pod: asking({[gpu]: '1'})},
  {
    name: 'a resource that a node has itself, and has given away',
    nodes: {a: {allocatable: {[gpu]: '1'}}},
    devices: two,
    before: {y: asking({[gpu]: '1'})},
    pod: asking({[gpu]: '1'}),
  },
  {name: 'a resource of which a node has none left', nodes: {a: {allocatable: {[gpu]: '0'}}}, devices: two, pod: asking({[gpu]: '1'})},
  {
    name: 'a resource in use',
    nodes: {a: {}},
    devices: two,
    before: {y: asking({[gpu]: '2'})},
    pod: asking({[gpu]: '1'}),
  },
  {
    name: 'resources of several containers',
    nodes: {a: {}},
    devices: {...two, pools: {a: devices('g0', 'g1', 'g2', 'g3')}},
    pod: pod([
      container('c', {[gpu]: '1', cpu: '1', 'another.example.com/x': '0'}),
      container('d', {}),
      container('e', {memory: '1Gi', [gpu]: '2'}),
    ]),
  },
  {
    name: 'resources of init containers',
    nodes: {a: {}},
    devices: {...two, pools: {a: devices('g0', 'g1', 'g2', 'g3', 'g4')}},
    pod: pod([container('c', {[gpu]: '1'}), container('d', {[gpu]: '1'})], {
      initContainers: [
        container('i', {[gpu]: '1'}),
        container('s', {[gpu]: '1'}, {restartPolicy: 'Always'}),
        container('j', {[gpu]: '3'}),
        container('k', {[gpu]: '4'}),
      ],
    }),
  },
  {
    name: 'resources of two classes',
    nodes: {a: {}},
    devices: {
      classes: {
        large: 'device.attributes["gpu.example.com"].model == "large"',
        small: 'device.attributes["gpu.example.com"].model == "small"',
      },
      resources: {large: 'example.com/large', small: gpu},
      pools: {a: {devices: [device('g0'), device('g1', 'large')]}},
      claims: {},
    },
    pod: asking({[gpu]: '1', 'example.com/large': '1'}),
  },
  {
    name: 'a resource beside a claim',
    nodes: {a: {}},
    devices: {...two, claims: {c: {requests: [{name: 'r', exactly: {deviceClassName: 'gpu'}}]}}},
    pod: pod([{...container('c', {[gpu]: '1'}), resources: {requests: {[gpu]: '1'}, limits: {[gpu]: '1'}, claims: [{name: 'c'}]}}], {
      resourceClaims: [{name: 'c', resourceClaimName: 'c'}],
    }),
  },
];
