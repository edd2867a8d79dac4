import test from 'ava';
import fc from 'fast-check';
import {kubernetes} from '../../../../core/api/naming/kubernetes.js';
import {orch} from '../../../../core/api/naming/orch.js';
import {autoscalerToV1, autoscalerToV2, roundTripAnnotations} from '../../../../plugins/resources/autoscaling/autoscaler-conversion.js';
import type {HorizontalPodAutoscaler, MetricSpec} from '../../../../sdk/types/unchecked/autoscaling/v2.js';
import type {HorizontalPodAutoscaler as HorizontalPodAutoscalerV1} from '../../../../sdk/types/unchecked/autoscaling/v1.js';

const names = roundTripAnnotations(orch);
const toV1 = (object: HorizontalPodAutoscaler) => autoscalerToV1(object, names, 'autoscaling/v1');
const toV2 = (object: HorizontalPodAutoscalerV1) => autoscalerToV2(object, names, 'autoscaling/v2');

const quantity = fc.integer({min: 1, max: 999}).chain((n) => fc.constantFrom(`${n}`, `${n}m`, `${n}Mi`));
const word = fc.stringMatching(/^[a-z]{1,8}$/);
const selector = fc.option(fc.record({matchLabels: fc.dictionary(word, word, {minKeys: 1, maxKeys: 2, noNullPrototype: true})}), {
  nil: undefined,
});
const metric = fc.record({name: word, selector}).map(({name, selector: found}) => (found ? {name, selector: found} : {name}));
const reference = fc.record({kind: word, name: word, apiVersion: fc.constant('apps/v1')});
const average = quantity.map((averageValue) => ({type: 'AverageValue', averageValue}));
const utilization = fc.integer({min: 1, max: 200}).map((averageUtilization) => ({type: 'Utilization', averageUtilization}));
const amount = fc.oneof(
  average,
  quantity.map((value) => ({type: 'Value', value})),
);
const resourceTarget = fc.oneof(average, utilization);

const metricSpec: fc.Arbitrary<MetricSpec> = fc.oneof(
  fc.record({type: fc.constant('Resource'), resource: fc.record({name: fc.constantFrom('cpu', 'memory'), target: resourceTarget})}),
  fc.record({type: fc.constant('ContainerResource'), containerResource: fc.record({name: word, target: resourceTarget, container: word})}),
  fc.record({type: fc.constant('Pods'), pods: fc.record({metric, target: average})}),
  fc.record({type: fc.constant('Object'), object: fc.record({describedObject: reference, target: amount, metric})}),
  fc.record({type: fc.constant('External'), external: fc.record({metric, target: amount})}),
);
const policy = fc.record({
  type: fc.constantFrom('Pods', 'Percent'),
  value: fc.integer({min: 1, max: 100}),
  periodSeconds: fc.integer({min: 1, max: 1800}),
});
const rules = fc.record({
  stabilizationWindowSeconds: fc.integer({min: 0, max: 3600}),
  selectPolicy: fc.constantFrom('Max', 'Min', 'Disabled'),
  policies: fc.array(policy, {minLength: 1, maxLength: 3}),
});
const currentValue = fc.record({averageValue: quantity, averageUtilization: fc.integer({min: 1, max: 100})});
const currentMetric = fc.oneof(
  fc.record({type: fc.constant('Resource'), resource: fc.record({name: fc.constantFrom('cpu', 'memory'), current: currentValue})}),
  fc.record({type: fc.constant('Pods'), pods: fc.record({metric, current: quantity.map((averageValue) => ({averageValue}))})}),
  fc.record({
    type: fc.constant('Object'),
    object: fc.record({metric, current: quantity.map((value) => ({value})), describedObject: reference}),
  }),
  fc.record({type: fc.constant('External'), external: fc.record({metric, current: quantity.map((value) => ({value}))})}),
  fc.record({type: fc.constant('ContainerResource'), containerResource: fc.record({name: word, current: currentValue, container: word})}),
);
const condition = fc.record({
  type: word,
  status: fc.constantFrom('True', 'False'),
  lastTransitionTime: fc.constant('2024-01-02T03:04:05Z'),
  reason: word,
  message: fc.string(),
});

const autoscaler: fc.Arbitrary<HorizontalPodAutoscaler> = fc
  .record({
    annotations: fc.dictionary(word, fc.string(), {minKeys: 1, maxKeys: 2, noNullPrototype: true}),
    metrics: fc.array(metricSpec, {minLength: 1, maxLength: 5}),
    behavior: fc.option(fc.record({scaleUp: rules, scaleDown: rules}), {nil: undefined}),
    currentMetrics: fc.array(currentMetric, {minLength: 1, maxLength: 3}),
    conditions: fc.array(condition, {minLength: 1, maxLength: 2}),
    scaleTargetRef: reference,
  })
  .map(({annotations, metrics, behavior, currentMetrics, conditions, scaleTargetRef}) => ({
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: {name: 'h', annotations},
    spec: {scaleTargetRef, minReplicas: 1, maxReplicas: 9, metrics, ...(behavior ? {behavior} : {})},
    status: {currentReplicas: 3, desiredReplicas: 4, currentMetrics, conditions},
  }));

/** The last share of CPU time becomes a field in v1 and comes back as the last metric. */
function asConverted(object: HorizontalPodAutoscaler): HorizontalPodAutoscaler {
  const {metrics = []} = object.spec!;
  const cpu = metrics.findLast(({resource}) => resource?.name === 'cpu' && resource.target?.type === 'Utilization');
  return {...object, spec: {...object.spec, metrics: [...metrics.filter((entry) => entry !== cpu), ...(cpu ? [cpu] : [])]}};
}

const seed = 20_240_611;

test(`an autoscaler of v2 comes back whole from v1 (seed ${seed})`, (t) => {
  fc.assert(
    fc.property(autoscaler, (object) => {
      const before = JSON.stringify(object);
      t.deepEqual(toV2(toV1(object)), asConverted(object));
      t.is(JSON.stringify(object), before, 'the input is not changed');
    }),
    {seed, numRuns: 300},
  );
  t.pass();
});

test(`an autoscaler of v1 comes back whole from v2 (seed ${seed})`, (t) => {
  fc.assert(
    fc.property(autoscaler, (object) => {
      const v1 = toV1(object);
      t.deepEqual(toV1(toV2(v1)), v1);
    }),
    {seed, numRuns: 100},
  );
  t.pass();
});

const example: HorizontalPodAutoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: {name: 'h'},
  spec: {
    scaleTargetRef: {kind: 'Deployment', name: 'd', apiVersion: 'apps/v1'},
    maxReplicas: 5,
    metrics: [
      {type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 60}}},
      {type: 'Pods', pods: {metric: {name: 'hits'}, target: {type: 'AverageValue', averageValue: '10'}}},
    ],
    behavior: {scaleUp: {selectPolicy: 'Max', policies: [{type: 'Pods', value: 4, periodSeconds: 15}]}},
  },
  status: {
    desiredReplicas: 1,
    currentMetrics: [{type: 'Resource', resource: {name: 'cpu', current: {averageValue: '5m', averageUtilization: 7}}}],
  },
};

test("v1 carries what it has no fields for in Kubernetes' annotations", (t) => {
  const {metadata, spec, status} = autoscalerToV1(example, roundTripAnnotations(kubernetes), 'autoscaling/v1');
  t.is(spec?.targetCPUUtilizationPercentage, 60);
  t.deepEqual(status, {desiredReplicas: 1, currentReplicas: 0, currentCPUUtilizationPercentage: 7});
  const annotations = Object.fromEntries(
    Object.entries(metadata.annotations ?? {}).map(([name, text]) => [name, JSON.parse(text) as unknown]),
  );
  t.deepEqual(annotations, {
    'autoscaling.alpha.kubernetes.io/metrics': [{type: 'Pods', pods: {metricName: 'hits', targetAverageValue: '10'}}],
    'autoscaling.alpha.kubernetes.io/current-metrics': [
      {type: 'Resource', resource: {name: 'cpu', currentAverageUtilization: 7, currentAverageValue: '5m'}},
    ],
    'autoscaling.alpha.kubernetes.io/behavior': {
      ScaleUp: {StabilizationWindowSeconds: null, SelectPolicy: 'Max', Policies: [{Type: 'Pods', Value: 4, PeriodSeconds: 15}]},
      ScaleDown: null,
    },
  });
});

test('a behaviour is read whatever the case of its names, and annotations that are no JSON are no metrics', (t) => {
  const v1 = (annotations: Record<string, string>): HorizontalPodAutoscalerV1 => ({
    apiVersion: 'autoscaling/v1',
    metadata: {name: 'h', annotations},
    spec: {maxReplicas: 3, targetCPUUtilizationPercentage: 50},
  });
  const behavior = '{"scaleUp":{"selectPolicy":"Min","policies":[{"type":"Percent","value":10,"periodSeconds":60}]}}';
  t.deepEqual(toV2(v1({[names.behavior]: behavior})).spec?.behavior, {
    scaleUp: {selectPolicy: 'Min', policies: [{type: 'Percent', value: 10, periodSeconds: 60}]},
  });
  for (const text of ['', '{', '"text"', '5', '[1, null]']) {
    const {spec, metadata} = toV2(v1({[names.metrics]: text, [names.behavior]: text, other: 'kept'}));
    t.deepEqual(spec?.metrics, [{type: 'Resource', resource: {name: 'cpu', target: {type: 'Utilization', averageUtilization: 50}}}], text);
    t.is(spec?.behavior, undefined, text);
    t.deepEqual(metadata.annotations, {other: 'kept'});
  }
});
