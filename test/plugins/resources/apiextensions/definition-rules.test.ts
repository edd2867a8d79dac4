import {testOnEachStore} from '../../../helpers/each-store.js';
import {definition, definitionsPath, faultsOf, freshGroup, version, type Json} from './definition-fixture.js';

const storeTest = testOnEachStore();
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";
const root = 'spec.validation.openAPIV3Schema';

interface Case {
  readonly title: string;
  /** What differs from a good definition, in `spec`. */
  readonly spec?: Json;
  readonly metadata?: Json;
  readonly faults: readonly string[];
}

const webhook = (clientConfig: Json, more: Json = {}) => ({
  conversion: {strategy: 'Webhook', webhook: {clientConfig, conversionReviewVersions: ['v1'], ...more}},
});
const service = (more: Json) => webhook({service: {name: 's', namespace: 'n', ...more}});
const columns = (...additionalPrinterColumns: Json[]) => ({versions: [version(undefined, {additionalPrinterColumns})]});
const scale = (more: Json) => ({
  versions: [
    version(undefined, {subresources: {scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', ...more}}}),
  ],
});
const two = (a: Json, b: Json) => ({versions: [version(undefined, {name: 'v1', ...a}), version(undefined, {name: 'v2', ...b})]});

const cases: readonly Case[] = [
  {title: 'a definition without faults is taken', faults: []},
  {
    title: 'group, names, scope and versions are required [A-CRD-2]',
    spec: {group: '', names: {plural: '', kind: ''}, scope: '', versions: []},
    faults: [
      'metadata.name: Invalid value: "NAME": must be spec.names.plural+"."+spec.group',
      'spec.group: Required value',
      'spec.scope: Required value',
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
      'spec.names.plural: Required value',
      'spec.names.singular: Required value',
      'spec.names.kind: Required value',
      'spec.names.listKind: Required value',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
  },
  {
    title: 'the name must be the plural and the group [A-CRD-3]',
    metadata: {name: 'gadgets.example.com'},
    faults: ['metadata.name: Invalid value: "gadgets.example.com": must be spec.names.plural+"."+spec.group'],
  },
  {
    title: 'a group is a domain',
    spec: {group: 'nodots'},
    metadata: {name: 'widgets.nodots'},
    faults: ['spec.group: Invalid value: "nodots": should be a domain with at least one dot'],
  },
  {
    title: 'a scope is one of two [A-CRD-12]',
    spec: {scope: 'Galaxy'},
    faults: ['spec.scope: Unsupported value: "Galaxy": supported values: "Cluster", "Namespaced"'],
  },
  {
    title: 'names are lower-case labels [A-CRD-6] [A-CRD-7] [A-CRD-8]',
    spec: {names: {plural: 'widgets', kind: 'Widget', singular: 'Widget', shortNames: ['ok', 'W'], categories: ['All']}},
    faults: [
      `spec.names.singular: Invalid value: "Widget": ${label}`,
      `spec.names.shortNames[1]: Invalid value: "W": ${label}`,
      `spec.names.categories[0]: Invalid value: "All": ${label}`,
    ],
  },
  {
    title: 'kind and list kind differ and are labels but for their case',
    spec: {names: {plural: 'widgets', kind: 'Wid_get', listKind: 'Wid_get'}},
    faults: [
      ...['singular', 'kind', 'listKind'].map(
        (member) =>
          `spec.names.${member}: Invalid value: "${member === 'singular' ? 'wid_get' : 'Wid_get'}": ${member === 'singular' ? '' : 'may have mixed case, but should otherwise match: '}${label}`,
      ),
      'spec.names.listKind: Invalid value: "Wid_get": kind and listKind may not be the same',
    ],
  },
  {
    title: 'a version has a name, and served and storage count as false when they are left out [A-CRD-30]',
    spec: two({name: 'V1'}, {}),
    faults: [
      `spec.version: Invalid value: "V1": ${label}`,
      `spec.versions[0].name: Invalid value: "V1": ${label}`,
      'spec.versions: Invalid value: ["V1","v2"]: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: ["V1"]: must have the storage version v2',
    ],
  },
  {
    title: 'several storage versions are refused [A-CRD-31]',
    spec: two({}, {}),
    faults: [
      'spec.versions: Invalid value: ["v1","v2"]: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: ["v1"]: must have the storage version v2',
    ],
  },
  {
    title: 'no storage version is refused [A-CRD-31]',
    spec: two({storage: false}, {storage: false}),
    faults: [
      'spec.versions: Invalid value: []: must have exactly one version marked as storage version',
      'status.storedVersions: Invalid value: null: must have at least one stored version',
    ],
  },
  {
    title: 'version names are unique',
    spec: two({}, {name: 'v1', storage: false}),
    faults: ['spec.versions: Invalid value: ["v1","v1"]: must contain unique version names'],
  },
  {
    title: 'a version needs a schema [B-REM-25]',
    spec: {versions: [{name: 'v1', served: true, storage: true}]},
    faults: ['spec.versions[0].schema.openAPIV3Schema: Required value: schemas are required'],
  },
  {
    title: 'a deprecation warning is for deprecated versions [A-CRD-36]',
    spec: {versions: [version(undefined, {deprecationWarning: 'a\u0007'})]},
    faults: ['spec.versions[0].deprecationWarning: Invalid value: "a\\u0007": can only be set for deprecated versions'],
  },
  {
    title: 'a deprecation warning has printable characters',
    spec: {versions: [version(undefined, {deprecated: true, deprecationWarning: 'é\u0007'})]},
    faults: [
      'spec.versions[0].deprecationWarning: Invalid value: "é\\u0007": must only contain printable UTF-8 characters; non-printable character found at index 2',
    ],
  },
  {
    title: 'a deprecation warning is neither empty nor long',
    spec: {versions: [version(undefined, {deprecated: true, deprecationWarning: 'é'.repeat(129)})]},
    faults: [`spec.versions[0].deprecationWarning: Invalid value: "${'é'.repeat(129)}": must be <= 256 characters long`],
  },
  {
    title: 'a printer column has name, type and path [A-CRD-50]',
    spec: columns({name: '', type: '', jsonPath: ''}),
    faults: [
      'spec.additionalPrinterColumns[0].name: Required value',
      'spec.additionalPrinterColumns[0].type: Required value: must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].JSONPath: Required value',
    ],
  },
  {
    title: 'a printer column has a known type and format and a path from the root [A-CRD-51]',
    spec: columns({name: 'a', type: 'text', format: 'odd', jsonPath: 'spec.a'}),
    faults: [
      'spec.additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
      'spec.additionalPrinterColumns[0].format: Invalid value: "odd": must be one of byte,date,date-time,double,float,int32,int64,password',
      'spec.additionalPrinterColumns[0].JSONPath: Invalid value: "spec.a": must be a simple json path starting with .',
    ],
  },
  {
    title: 'the scale subresource needs its paths [A-CRD-43] [A-CRD-46]',
    spec: scale({specReplicasPath: '', statusReplicasPath: ''}),
    faults: ['spec.subresources.scale.specReplicasPath: Required value', 'spec.subresources.scale.statusReplicasPath: Required value'],
  },
  {
    title: 'the paths of scale lead where they should [A-CRD-43] [A-CRD-46] [A-CRD-48]',
    spec: scale({specReplicasPath: '.status.replicas', statusReplicasPath: 'replicas', labelSelectorPath: '.metadata.name'}),
    faults: [
      'spec.subresources.scale.specReplicasPath: Invalid value: ".status.replicas": should be a json path under .spec',
      'spec.subresources.scale.statusReplicasPath: Invalid value: "replicas": must be a simple json path starting with .',
      'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.name": should be a json path under either .spec or .status',
    ],
  },
  {
    title: 'brackets in the paths of scale are part of a name [A-CRD-43]',
    spec: scale({specReplicasPath: '.spec.pools[0].replicas'}),
    faults: [],
  },
  {
    title: 'objects, not the definition, are checked for a label selector that is no text, as definitions in use need it',
    spec: {
      versions: [
        version(
          {type: 'object', properties: {selector: {type: 'object'}}},
          {
            subresources: {
              scale: {specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas', labelSelectorPath: '.spec.selector'},
            },
          },
        ),
      ],
    },
    faults: [],
  },
  {
    title: 'faults of a part in which versions differ are reported at the version',
    spec: two({subresources: {scale: {specReplicasPath: '.x', statusReplicasPath: '.status.x'}}}, {storage: false}),
    faults: ['spec.versions[0].subresources.scale.specReplicasPath: Invalid value: ".x": should be a json path under .spec'],
  },
  {
    title: 'a conversion has a strategy [A-CRD-15]',
    spec: {conversion: {strategy: ''}},
    faults: ['spec.conversion.strategy: Required value'],
  },
  {
    title: 'a conversion strategy is one of two [A-CRD-15]',
    spec: {conversion: {strategy: 'Magic'}},
    faults: ['spec.conversion.strategy: Unsupported value: "Magic": supported values: "None", "Webhook"'],
  },
  {
    title: 'webhook conversion needs its settings [A-CRD-19]',
    spec: {conversion: {strategy: 'Webhook'}},
    faults: [
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
      'spec.conversion.conversionReviewVersions: Required value',
    ],
  },
  {
    title: 'other conversion takes no settings of a webhook',
    spec: {conversion: {strategy: 'None', webhook: {clientConfig: {url: 'https://h'}, conversionReviewVersions: ['v1']}}},
    faults: [
      'spec.conversion.webhookClientConfig: Forbidden: should not be set when strategy is not set to Webhook',
      'spec.conversion.conversionReviewVersions: Forbidden: should not be set when strategy is not set to Webhook',
    ],
  },
  {
    title: 'a webhook is a URL or a service [A-CRD-24]',
    spec: webhook({}),
    faults: ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
  },
  {
    title: 'a webhook is not both a URL and a service [A-CRD-24]',
    spec: webhook({url: 'https://h', service: {name: 's', namespace: 'n'}}),
    faults: ['spec.conversion.webhookClientConfig: Required value: exactly one of url or service is required'],
  },
  {
    title: 'a service has name and namespace [A-CRD-25]',
    spec: service({name: '', namespace: ''}),
    faults: [
      'spec.conversion.webhookClientConfig.service.name: Required value: service name is required',
      'spec.conversion.webhookClientConfig.service.namespace: Required value: service namespace is required',
    ],
  },
  {
    title: 'the port of a service is in range [A-CRD-26]',
    spec: service({port: 65536}),
    faults: [
      'spec.conversion.webhookClientConfig.service.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive',
    ],
  },
  {
    title: 'the path of a service is absolute and has full segments',
    spec: service({path: 'a//b'}),
    faults: [
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": must start with a \'/\'',
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": segment[0] may not be empty',
      'spec.conversion.webhookClientConfig.service.path: Invalid value: "a//b": segment[1] may not be empty',
    ],
  },
  {
    title: 'a webhook URL is https [A-CRD-27]',
    spec: webhook({url: 'http://host/convert'}),
    faults: [
      'spec.conversion.webhookClientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    ],
  },
  {
    title: 'a webhook URL has no user, fragment or query [A-CRD-28]',
    spec: webhook({url: 'https://me:secret@host/convert?x=1#here'}),
    faults: [
      'spec.conversion.webhookClientConfig.url: Invalid value: "": user information is not permitted in the URL',
      'spec.conversion.webhookClientConfig.url: Invalid value: "here": fragments are not permitted in the URL',
      'spec.conversion.webhookClientConfig.url: Invalid value: "x=1": query parameters are not permitted in the URL',
    ],
  },
  {
    title: 'review versions are unique and one is known [A-CRD-19]',
    spec: webhook({url: 'https://h'}, {conversionReviewVersions: ['v7', 'v7', 'V']}),
    faults: [
      'spec.conversion.conversionReviewVersions[1]: Invalid value: "v7": duplicate version',
      `spec.conversion.conversionReviewVersions[2]: Invalid value: "V": ${label}`,
      'spec.conversion.conversionReviewVersions: Invalid value: ["v7","v7","V"]: must include at least one of v1, v1beta1',
    ],
  },
  {
    title:
      'unknown fields cannot be preserved for a whole definition, neither with webhook conversion nor with defaults [A-CRD-18] [A-CRD-73]',
    spec: {
      preserveUnknownFields: true,
      ...webhook({url: 'https://h'}),
      versions: [version({type: 'object', properties: {a: {type: 'integer', default: 1}}})],
    },
    faults: [
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to true in spec.versions[*].schema instead',
      'spec.preserveUnknownFields: Invalid value: true: must be false in order to use defaults in the schema',
      'spec.conversion.strategy: Invalid value: "Webhook": must be None if spec.preserveUnknownFields is true',
    ],
  },
  {
    title: 'what compositions at the root speak of is described outside',
    spec: {
      versions: [
        {
          ...version(),
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {spec: {type: 'object', properties: {a: {type: 'string'}}}},
              oneOf: [{required: ['spec']}, {properties: {b: {minLength: 1}}}],
            },
          },
        },
      ],
    },
    faults: [
      'spec.validation.openAPIV3Schema.properties[b]: Required value: because it is defined in spec.validation.openAPIV3Schema.oneOf[1].properties[b]',
    ],
  },
  {
    title: 'fields for selectors are texts, booleans and integers outside metadata, at most eight',
    spec: {
      versions: [
        version(
          {type: 'object', properties: {a: {type: 'string'}, b: {type: 'object'}}},
          {
            selectableFields: ['.spec.a', '.spec.a', '.spec.b', '.spec.c', '.metadata.name', 'x', '', '.spec.a', '.spec.a'].map(
              (jsonPath) => ({jsonPath}),
            ),
          },
        ),
      ],
    },
    faults: [
      'spec.selectableFields[1].jsonPath: Duplicate value: ".spec.a"',
      'spec.selectableFields[2].jsonPath: Invalid value: ".spec.b": must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.',
      'spec.selectableFields[3].jsonPath: Invalid value: ".spec.c": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[4].jsonPath: Invalid value: ".metadata.name": is an invalid path: does not refer to a valid field',
      'spec.selectableFields[5].jsonPath: Invalid value: "x": is an invalid path: expected [ or . but got: x',
      'spec.selectableFields[6].jsonPath: Required value',
      'spec.selectableFields[7].jsonPath: Duplicate value: ".spec.a"',
      'spec.selectableFields[8].jsonPath: Duplicate value: ".spec.a"',
    ],
  },
  {
    title: 'with a status the root of the schema has few keywords, and is never nullable',
    spec: {
      versions: [
        {
          ...version(undefined, {subresources: {status: {}}}),
          schema: {openAPIV3Schema: {type: 'object', nullable: true, maxProperties: 4}},
        },
      ],
    },
    faults: [
      `${root}: Invalid value: "nullable": only [Description Type Format Title Maximum ExclusiveMaximum Minimum ExclusiveMinimum MaxLength MinLength Pattern MaxItems MinItems UniqueItems MultipleOf Required Items Properties ExternalDocs Example XPreserveUnknownFields XValidations] fields are allowed at the root of the schema if the status subresource is enabled`,
      `${root}.nullable: Forbidden: nullable cannot be true at the root`,
    ],
  },
  {
    title: "a definition in the platform's own groups needs an approval",
    spec: {group: 'tools.orch'},
    metadata: {name: 'widgets.tools.orch'},
    faults: [
      'metadata.annotations[api-approved.orch]: Required value: protected groups must have approval annotation "api-approved.orch", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  },
  {
    title: 'an approval is a URL or says that there is none',
    spec: {group: 'tools.orch'},
    metadata: {name: 'widgets.tools.orch', annotations: {'api-approved.orch': 'sure'}},
    faults: [
      'metadata.annotations[api-approved.orch]: Invalid value: "sure": protected groups must have approval annotation "api-approved.orch" with either a URL or a reason starting with "unapproved", see https://github.com/kubernetes/enhancements/pull/1111',
    ],
  },
  {
    title: 'a definition may say that it has no approval',
    spec: {group: 'tools.orch'},
    metadata: {name: 'widgets.tools.orch', annotations: {'api-approved.orch': 'unapproved, a trial'}},
    faults: [],
  },
];

for (const {title, spec = {}, metadata = {}, faults} of cases) {
  storeTest(title, async (t, {client}) => {
    const body = definition(freshGroup());
    Object.assign(body['spec'] as Json, spec);
    Object.assign(body['metadata'] as Json, metadata);
    const {name} = body['metadata'] as {name: string};
    const response = await client.post(`${definitionsPath}?dryRun=All`, body);
    t.deepEqual(
      faultsOf(response),
      faults.map((fault) => fault.replace('NAME', name)),
    );
  });
}

storeTest('older spellings are unknown fields [B-REM-23] [B-REM-24] [B-REM-26]', async (t, {client}) => {
  const old = version(undefined, {additionalPrinterColumns: [{name: 'a', type: 'string', JSONPath: '.spec.a', jsonPath: '.spec.a'}]});
  const body = definition(freshGroup(), [old], {
    version: 'v1',
    validation: {},
    subresources: {},
    additionalPrinterColumns: [],
    conversion: {strategy: 'None', webhookClientConfig: {}, conversionReviewVersions: ['v1']},
  });
  const response = await client.post(`${definitionsPath}?dryRun=All&fieldValidation=Strict`, body);
  t.is(response.status, 400);
  const {message} = response.json<{message: string}>();
  for (const field of [
    'version',
    'validation',
    'subresources',
    'additionalPrinterColumns',
    'conversion.webhookClientConfig',
    'conversion.conversionReviewVersions',
    'versions[0].additionalPrinterColumns[0].JSONPath',
  ]) {
    t.true(message.includes(`unknown field "spec.${field}"`), field);
  }
});

storeTest('a column whose path cannot be read is left out with a warning', async (t, {client}) => {
  const unreadable = version(undefined, {additionalPrinterColumns: [{name: 'a', type: 'string', jsonPath: '.spec[?('}]});
  const response = await client.post(`${definitionsPath}?dryRun=All`, definition(freshGroup(), [unreadable]));
  t.is(response.status, 201);
  t.regex(String(response.headers['warning']), /additionalPrinterColumns\[0\]\.jsonPath: the column is left out/);
});
