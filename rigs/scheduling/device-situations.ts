import type {PodRow, Situation} from './situation.js';

const container = (more: object = {}) => ({name: 'c', image: 'registry.example.com/app:1', resources: {requests: {}}, ...more});
const claiming = (...names: readonly string[]): PodRow => ({
  spec: {
    resourceClaims: names.map((name) => ({name, resourceClaimName: name})),
    containers: [container({resources: {claims: names.map((name) => ({name}))}})],
  },
});
const request = (more: object = {}, name = 'r') => ({name, exactly: {deviceClassName: 'gpu', ...more}});
const chosenBy = (...expressions: readonly string[]) => ({selectors: expressions.map((expression) => ({cel: {expression}}))});
const gpu = (name: string, memory: string, model: string, more: object = {}) => ({
  name,
  attributes: {model: {string: model}, version: {version: '1.2.3'}},
  capacity: {memory: {value: memory}},
  ...more,
});
const classes = {gpu: 'device.driver == "gpu.example.com"'};
const pair = {devices: [gpu('g0', '8Gi', 'small'), gpu('g1', '80Gi', 'large')]};

/** A device of which claims get shares, in portions. */
const shared = (name: string, memory: string, requestPolicy?: object) => ({
  ...gpu(name, memory, 'large'),
  allowMultipleAllocations: true,
  capacity: {memory: {value: memory, ...(requestPolicy ? {requestPolicy} : {})}},
});
const share = (memory: string, name = 'r', more: object = {}) => request({capacity: {requests: {memory}}, ...more}, name);
const steps = {default: '1Gi', validRange: {min: '1Gi', step: '4Gi', max: '41Gi'}};
const portions = {default: '2Gi', validValues: ['2Gi', '10Gi', '40Gi']};
const waiting = {bindingConditions: ['example.com/attached'], bindingFailureConditions: ['example.com/broken']};

/** Those with claims of devices. */
export const deviceSituations: readonly Situation[] = [
  {name: 'a claim of devices that is not there', nodes: {a: {}}, devices: {classes, pools: {}, claims: {}}, pod: claiming('c')},
  {
    name: 'a device of one node',
    nodes: {a: {}, b: {}},
    devices: {classes, pools: {b: pair}, claims: {c: {requests: [request()]}}},
    pod: claiming('c'),
  },
  {
    name: 'a device by its capacity and version',
    nodes: {a: {}, b: {}},
    devices: {
      classes,
      pools: {a: {devices: [gpu('g0', '8Gi', 'small')]}, b: pair},
      claims: {
        c: {
          requests: [
            request(
              chosenBy(
                'device.capacity["gpu.example.com"].memory.compareTo(quantity("40Gi")) >= 0',
                'device.attributes["gpu.example.com"].version.isGreaterThan(semver("1.0.0")) && !("y" in device.attributes["x"])',
              ),
            ),
          ],
        },
      },
    },
    pod: claiming('c'),
  },
  {
    name: 'a device in use',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [gpu('g0', '8Gi', 'small')]}},
      claims: {c: {requests: [request()]}, d: {requests: [request()]}},
    },
    before: {y: claiming('d')},
    pod: claiming('c'),
  },
  {
    name: 'a device that two pods share',
    nodes: {a: {}, b: {}},
    devices: {classes, pools: {a: pair}, claims: {c: {requests: [request()]}}},
    before: {y: claiming('c')},
    pod: claiming('c'),
  },
  {
    name: 'a class of devices that is not there',
    nodes: {a: {}},
    devices: {classes: {}, pools: {a: pair}, claims: {c: {requests: [request()]}}},
    pod: claiming('c'),
  },
  {
    name: 'more devices than there are',
    nodes: {a: {}, b: {}},
    devices: {classes, pools: {a: pair}, claims: {c: {requests: [request({count: 3})]}}},
    pod: claiming('c'),
  },
  {
    name: 'all devices of a node',
    nodes: {a: {}, b: {}},
    devices: {classes, pools: {a: pair}, claims: {c: {requests: [request({allocationMode: 'All'})]}}},
    pod: claiming('c'),
  },
  {
    name: 'devices with one attribute',
    nodes: {a: {}, b: {}},
    devices: {
      classes,
      pools: {a: pair, b: {devices: [gpu('g0', '8Gi', 'small'), gpu('g1', '80Gi', 'large'), gpu('g2', '80Gi', 'large')]}},
      claims: {c: {requests: [request({}, 'q'), request()], constraints: [{matchAttribute: 'gpu.example.com/model'}]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'the second of two ways',
    nodes: {a: {}, b: {}},
    devices: {
      classes,
      pools: {b: pair},
      claims: {
        c: {
          requests: [
            {
              name: 'r',
              firstAvailable: [
                {name: 'many', deviceClassName: 'gpu', count: 5},
                {name: 'two', deviceClassName: 'gpu', count: 2},
              ],
            },
          ],
        },
      },
    },
    pod: claiming('c'),
  },
  {
    name: 'a taint of a device',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [gpu('g0', '8Gi', 'small', {taints: [{key: 'k', effect: 'NoSchedule'}]})]}},
      claims: {c: {requests: [request()]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a taint of a device that is tolerated',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [gpu('g0', '8Gi', 'small', {taints: [{key: 'k', effect: 'NoSchedule'}]})]}},
      claims: {c: {requests: [request({tolerations: [{key: 'k', operator: 'Exists'}]})]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a device that all nodes reach',
    nodes: {a: {}},
    devices: {classes, pools: {shared: {isShared: true, ...pair}}, claims: {c: {requests: [request()]}}},
    pod: claiming('c'),
  },
  {
    name: 'devices on a node without room',
    nodes: {a: {allocatable: {cpu: '1'}}, b: {}},
    devices: {classes, pools: {a: pair}, claims: {c: {requests: [request()]}}},
    before: {y: claiming('c')},
    pod: {spec: {...claiming('c').spec, containers: [container({resources: {requests: {cpu: '2'}, claims: [{name: 'c'}]}})]}},
  },
  {
    name: 'an expression that fails',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: pair},
      claims: {c: {requests: [request(chosenBy('device.attributes["gpu.example.com"].nothing == "x"'))]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a share of a device',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [shared('g0', '80Gi')]}},
      claims: {c: {requests: [share('8Gi')]}, d: {requests: [share('60Gi')]}},
    },
    before: {y: claiming('d')},
    pod: claiming('c'),
  },
  {
    name: 'a share of a device that has no more',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [shared('g0', '80Gi')]}},
      claims: {c: {requests: [share('40Gi')]}, d: {requests: [share('60Gi')]}},
    },
    before: {y: claiming('d')},
    pod: claiming('c'),
  },
  {
    name: 'a share of the second device',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [shared('g0', '10Gi'), shared('g1', '80Gi')]}},
      claims: {c: {requests: [share('8Gi'), share('8Gi', 's')]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a share in steps',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [shared('g0', '80Gi', steps)]}}, claims: {c: {requests: [share('6Gi')]}}},
    pod: claiming('c'),
  },
  {
    name: 'a share beyond the largest',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [shared('g0', '80Gi', steps)]}}, claims: {c: {requests: [share('44Gi')]}}},
    pod: claiming('c'),
  },
  {
    name: 'a share of no given amount',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [shared('g0', '80Gi', portions)]}}, claims: {c: {requests: [request()]}}},
    pod: claiming('c'),
  },
  {
    name: 'a share of one of a few amounts',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [shared('g0', '80Gi', portions)]}}, claims: {c: {requests: [share('3Gi')]}}},
    pod: claiming('c'),
  },
  {
    name: 'a share of a capacity that a device has not',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [shared('g0', '80Gi')]}},
      claims: {c: {requests: [request({capacity: {requests: {cores: '1'}}})]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'two shares of a device for one request',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [shared('g0', '80Gi')]}}, claims: {c: {requests: [share('8Gi', 'r', {count: 2})]}}},
    pod: claiming('c'),
  },
  {
    name: 'shares of all devices',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [shared('g0', '80Gi'), shared('g1', '4Gi'), gpu('g2', '16Gi', 'small')]}},
      claims: {c: {requests: [share('8Gi', 'r', {allocationMode: 'All'})]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a whole device by an amount',
    nodes: {a: {}},
    devices: {classes, pools: {a: pair}, claims: {c: {requests: [share('40Gi')]}}},
    pod: claiming('c'),
  },
  {
    name: 'shares by an expression',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {a: {devices: [gpu('g0', '80Gi', 'large'), shared('g1', '80Gi')]}},
      claims: {c: {requests: [request(chosenBy('device.allowMultipleAllocations'))]}},
    },
    pod: claiming('c'),
  },
  {
    name: 'a device that waits for a condition',
    nodes: {a: {}},
    devices: {classes, pools: {a: {devices: [gpu('g0', '8Gi', 'small', waiting)]}}, claims: {c: {requests: [request()]}}},
    pod: claiming('c'),
  },
  {
    name: 'a device that binds to its node',
    nodes: {a: {}},
    devices: {
      classes,
      pools: {shared: {isShared: true, devices: [gpu('g0', '8Gi', 'small', {bindsToNode: true})]}},
      claims: {c: {requests: [request()]}},
    },
    pod: claiming('c'),
  },
];
