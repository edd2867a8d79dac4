import test from 'ava';
import {causesOf, faultyFields, servedGroup, tableRows} from '../served-group.js';

// Only what the types do of their own.
const client = servedGroup(test, {controllers: ['*', '-flow-control']});
const url = (plural: string, version = 'v1beta3') => `/apis/flowcontrol.apiserver.orch/${version}/${plural}`;
const levels = 'prioritylevelconfigurations';
const schemas = 'flowschemas';
const queue = (queuing: object = {}) => ({type: 'Queue', queuing});
const everything = {
  resourceRules: [{verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*']}],
  nonResourceRules: [{verbs: ['*'], nonResourceURLs: ['*']}],
};

test('[B-REM-1] v1beta2 is served with a warning, v1beta3 without', async (t) => {
  for (const plural of [levels, schemas]) {
    t.regex(
      String((await client().get(url(plural, 'v1beta2'))).headers['warning']),
      /v1beta2 \w+ is deprecated in v1\.26\+, unavailable in v1\.29\+; use flowcontrol\.apiserver\.orch\/v1beta3 \w+/,
    );
    t.is((await client().get(url(plural))).headers['warning'], undefined);
  }
});

test('[B-REM-2] the shares have another name in each version and the same value', async (t) => {
  const limited = {limitResponse: queue(), lendablePercent: 10, borrowingLimitPercent: 20};
  const spec = (shares: object) => ({type: 'Limited', limited: {...shares, ...limited}});
  const read = async (name: string, version: string) => {
    const object = (await client().get(`${url(levels, version)}/${name}`)).json<{apiVersion: string; spec: {limited: object}}>();
    t.is(object.apiVersion, `flowcontrol.apiserver.orch/${version}`);
    return object.spec.limited;
  };
  const queuing = {queues: 64, handSize: 8, queueLengthLimit: 50};
  for (const [name, version, shares] of [
    ['old', 'v1beta2', {assuredConcurrencyShares: 7}],
    ['new', 'v1beta3', {nominalConcurrencyShares: 7}],
  ] as const) {
    t.is((await client().post(url(levels, version), {metadata: {name}, spec: spec(shares)})).status, 201);
    t.deepEqual(await read(name, 'v1beta2'), {assuredConcurrencyShares: 7, ...limited, limitResponse: {type: 'Queue', queuing}});
    t.deepEqual(await read(name, 'v1beta3'), {nominalConcurrencyShares: 7, ...limited, limitResponse: {type: 'Queue', queuing}});
  }
  await client().patch(`${url(levels)}/old`, {spec: {limited: {nominalConcurrencyShares: 9}}});
  t.like(await read('old', 'v1beta2'), {assuredConcurrencyShares: 9});
  t.like(
    (await client().get(url(levels, 'v1beta2')))
      .json<{items: {metadata: {name: string}}[]}>()
      .items.find(({metadata}) => metadata.name === 'old'),
    {
      spec: {limited: {assuredConcurrencyShares: 9}},
    },
  );
});

test('faults of a priority level carry the field names of the version', async (t) => {
  const limited = (shares: object) => ({
    metadata: {name: 'bad'},
    spec: {type: 'Limited', limited: {...shares, limitResponse: {type: 'Reject'}}},
  });
  t.deepEqual(causesOf(await client().post(url(levels, 'v1beta2'), limited({assuredConcurrencyShares: -1}))), [
    'spec.limited.assuredConcurrencyShares: Invalid value: -1: must be positive',
  ]);
  t.deepEqual(causesOf(await client().post(url(levels), limited({nominalConcurrencyShares: -1}))), [
    'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be positive',
  ]);
});

test('a level is exempt or limited, and a limited one queues or rejects', async (t) => {
  const check = async (spec: object) => faultyFields(await client().post(url(levels), {metadata: {name: 'bad'}, spec}));
  const limited = (limitResponse: object, more: object = {}) => check({type: 'Limited', limited: {limitResponse, ...more}});
  t.deepEqual(await check({type: 'Exempt'}), ['spec.type']);
  t.deepEqual(await check({type: 'Other'}), ['spec.type']);
  t.deepEqual(await check({type: 'Limited'}), ['spec.limited']);
  t.deepEqual(await limited({}), ['spec.limited.limitResponse.type']);
  t.deepEqual(await limited({type: 'Queue'}), ['spec.limited.limitResponse.queuing']);
  t.deepEqual(await limited({type: 'Reject', queuing: {}}), ['spec.limited.limitResponse.queuing']);
  t.deepEqual(await limited({type: 'Reject'}, {lendablePercent: 101, borrowingLimitPercent: -1}), [
    'spec.limited.lendablePercent',
    'spec.limited.borrowingLimitPercent',
  ]);
  t.deepEqual(await limited(queue({queues: 10_000_001, handSize: -1, queueLengthLimit: -1})), [
    'spec.limited.limitResponse.queuing.queueLengthLimit',
    'spec.limited.limitResponse.queuing.queues',
    'spec.limited.limitResponse.queuing.handSize',
  ]);
  t.deepEqual(await limited(queue({queues: 4, handSize: 5})), ['spec.limited.limitResponse.queuing.handSize']);
  t.deepEqual(await limited(queue({queues: 1024, handSize: 7})), ['spec.limited.limitResponse.queuing.handSize']);
  t.is(
    (
      await client().post(url(levels), {
        metadata: {name: 'widest'},
        spec: {type: 'Limited', limited: {limitResponse: queue({queues: 1024, handSize: 6})}},
      })
    ).status,
    201,
  );
});

test('what flow control stands on cannot be changed', async (t) => {
  const catchAll = {type: 'Limited', limited: {nominalConcurrencyShares: 5, limitResponse: {type: 'Reject'}}};
  const {nominalConcurrencyShares, ...rest} = catchAll.limited;
  t.is((await client().post(url(levels), {metadata: {name: 'exempt'}, spec: {type: 'Exempt'}})).status, 201);
  t.is(
    (
      await client().post(url(levels, 'v1beta2'), {
        metadata: {name: 'catch-all'},
        spec: {...catchAll, limited: {assuredConcurrencyShares: nominalConcurrencyShares, ...rest}},
      })
    ).status,
    201,
  );
  t.deepEqual(faultyFields(await client().patch(`${url(levels)}/catch-all`, {spec: {limited: {nominalConcurrencyShares: 6}}})), ['spec']);
  const exempt = {
    priorityLevelConfiguration: {name: 'exempt'},
    matchingPrecedence: 1,
    rules: [{subjects: [{kind: 'Group', group: {name: 'system:masters'}}], ...everything}],
  };
  t.is((await client().post(url(schemas), {metadata: {name: 'exempt'}, spec: exempt})).status, 201);
  const changed = await client().patch(`${url(schemas)}/exempt`, {spec: {rules: []}});
  t.true(causesOf(changed)[0]!.endsWith("spec of 'exempt' must equal the fixed value"));
});

test('a schema names a level, a precedence and who it is for', async (t) => {
  const check = async (spec: object) =>
    faultyFields(await client().post(url(schemas), {metadata: {name: 'bad'}, spec})).map((field) => field.replace('spec.', ''));
  const level = {priorityLevelConfiguration: {name: 'x'}};
  t.deepEqual(await check({}), ['priorityLevelConfiguration.name']);
  t.deepEqual(await check({...level, matchingPrecedence: 1}), ['matchingPrecedence']);
  t.deepEqual(await check({...level, matchingPrecedence: 10_001}), ['matchingPrecedence']);
  t.deepEqual(await check({priorityLevelConfiguration: {name: 'X Y'}, matchingPrecedence: -1, distinguisherMethod: {type: 'ByColour'}}), [
    'matchingPrecedence',
    'distinguisherMethod.type',
    'priorityLevelConfiguration.name',
  ]);
  t.deepEqual(await check({...level, rules: [{}]}), ['rules[0].subjects', 'rules[0]']);
  const subjects = [
    {kind: 'User'},
    {kind: 'User', user: {name: ''}, group: {name: 'g'}},
    {kind: 'ServiceAccount', serviceAccount: {name: '*'}},
    {kind: 'ServiceAccount', serviceAccount: {namespace: 'ns', name: 'Bad Name'}},
    {kind: 'Robot'},
  ];
  t.deepEqual(await check({...level, rules: [{subjects, ...everything}]}), [
    'rules[0].subjects[0].user',
    'rules[0].subjects[1].user.name',
    'rules[0].subjects[1].group',
    'rules[0].subjects[2].serviceAccount.namespace',
    'rules[0].subjects[3].serviceAccount.name',
    'rules[0].subjects[4].kind',
  ]);
});

test('in the rules of a schema a star stands alone', async (t) => {
  const subjects = [{kind: 'Group', group: {name: 'g'}}];
  const check = async (rule: object) =>
    faultyFields(
      await client().post(url(schemas), {
        metadata: {name: 'bad'},
        spec: {priorityLevelConfiguration: {name: 'x'}, rules: [{subjects, ...rule}]},
      }),
    ).map((field) => field.replace('spec.rules[0].', ''));
  const two = ['*', 'a'];
  t.deepEqual(await check({resourceRules: [{verbs: two, apiGroups: two, resources: two, namespaces: two}]}), [
    'resourceRules[0].verbs',
    'resourceRules[0].apiGroups',
    'resourceRules[0].resources',
    'resourceRules[0].namespaces',
  ]);
  t.deepEqual(await check({resourceRules: [{verbs: ['look'], namespaces: ['Bad']}]}), [
    'resourceRules[0].verbs',
    'resourceRules[0].apiGroups',
    'resourceRules[0].resources',
    'resourceRules[0].namespaces[0]',
  ]);
  t.deepEqual(await check({resourceRules: [{verbs: ['get'], apiGroups: [''], resources: ['pods']}]}), ['resourceRules[0].namespaces']);
  t.deepEqual(
    await check({nonResourceRules: [{verbs: ['get'], nonResourceURLs: ['', 'x', '/a b', '/a//b', '/a*', '/a/*/*', '/', '/ok', '/ok/*']}]}),
    [
      'nonResourceRules[0].nonResourceURLs[0]',
      'nonResourceRules[0].nonResourceURLs[1]',
      'nonResourceRules[0].nonResourceURLs[2]',
      'nonResourceRules[0].nonResourceURLs[3]',
      'nonResourceRules[0].nonResourceURLs[4]',
      'nonResourceRules[0].nonResourceURLs[5]',
    ],
  );
});

test('status is written through its subresource, types of conditions once each', async (t) => {
  const made = (await client().post(url(schemas), {metadata: {name: 'watched'}, spec: {priorityLevelConfiguration: {name: 'x'}}})).json<{
    metadata: object;
  }>();
  t.like(made, {metadata: {generation: 1}, spec: {matchingPrecedence: 1000}, status: {}});
  t.deepEqual(
    faultyFields(
      await client().put(`${url(schemas)}/watched/status`, {...made, status: {conditions: [{type: 'Dangling'}, {type: 'Dangling'}, {}]}}),
    ),
    ['status.conditions[1].type', 'status.conditions[2].type'],
  );
  t.is(
    (await client().put(`${url(schemas)}/watched/status`, {...made, spec: {}, status: {conditions: [{type: 'Dangling', status: 'True'}]}}))
      .status,
    200,
  );
  t.like((await tableRows(client(), `${url(schemas)}/watched`))[0], {
    PriorityLevel: 'x',
    MatchingPrecedence: 1000,
    DistinguisherMethod: '<none>',
    MissingPL: 'True',
  });
});

test('the table shows the shares in both versions', async (t) => {
  await client().post(url(levels), {
    metadata: {name: 'shown'},
    spec: {type: 'Limited', limited: {nominalConcurrencyShares: 3, limitResponse: queue({queues: 9, handSize: 2})}},
  });
  for (const version of ['v1beta2', 'v1beta3']) {
    t.like((await tableRows(client(), `${url(levels, version)}/shown`))[0], {
      Type: 'Limited',
      NominalConcurrencyShares: 3,
      Queues: 9,
      HandSize: 2,
      QueueLengthLimit: 50,
    });
  }
});
