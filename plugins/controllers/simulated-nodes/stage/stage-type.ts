import type {ApiObject, ResourceDefinition} from '../../../../sdk/index.js';
import type {LabelSelector} from '../../../../sdk/labels/index.js';
import {clusterWide} from '../../../../sdk/types/resource-handle.js';
import {words, type Defaults, type Word} from '../behaviour/behaviour.js';

export const stageGroup = 'simulate.orch';
const version = 'v1alpha1';

/** Something that happens to pods after a while. */
export interface StageStep {
  readonly when?: {
    /** Phases of the pod, one of which it is in; all if absent. */
    readonly phases?: readonly string[];
    /** Conditions that it has, all of them. */
    readonly conditions?: readonly {readonly type: string; readonly status: string}[];
    /** Whether it is being deleted; false by default. */
    readonly deleted?: boolean;
  };
  /** A duration, with or without a further one that is added at random: `5s`, `5s+2s`. None by default. */
  readonly delay?: string;
  /** A merge patch of its status. */
  readonly status?: Readonly<Record<string, unknown>>;
  readonly finalizers?: {readonly add?: readonly string[]; readonly remove?: readonly string[]};
  readonly delete?: boolean;
  readonly event?: {readonly type?: 'Normal' | 'Warning'; readonly reason: string; readonly message: string};
}

/** What a Stage says about which pods. */
export interface StageSpec {
  /** Stages with higher numbers count first; 0 by default. Of equal ones that whose name comes first. */
  readonly priority?: number;
  /** Labels of the pods; all if absent. */
  readonly selector?: LabelSelector;
  readonly namespaces?: readonly string[];
  /** Labels of their nodes. */
  readonly nodeSelector?: Readonly<Record<string, string>>;
  /** Images of the containers that `behaviour` is for, in which `*` stands for anything; all if absent. */
  readonly images?: readonly string[];
  /** How they behave, in the words of annotations. */
  readonly behaviour?: Defaults;
  /** Whether these pods live by the steps alone; only their deletion is as ever. */
  readonly replacesBuiltIn?: boolean;
  readonly steps?: readonly StageStep[];
}

export type Stage = ApiObject & {readonly spec?: StageSpec};

export const stageType = clusterWide<Stage>(stageGroup, version, 'stages', 'Stage');

const text = {type: 'string', maxLength: 1024};
/** Logs, and series of what is used. */
const longWords = new Set<Word>(['log', 'serve', 'cpu', 'memory']);
const longText = {type: 'string', maxLength: 65_536};
const images = {type: 'array', minItems: 1, maxItems: 100, items: {type: 'string', minLength: 1, maxLength: 1024}};
const texts = {type: 'array', maxItems: 100, items: {type: 'string', maxLength: 253}};
const labels = {type: 'object', maxProperties: 100, additionalProperties: {type: 'string', maxLength: 63}};

/** The type as the server serves it. */
export const stageDefinition: ResourceDefinition = {
  group: stageGroup,
  names: {plural: 'stages', singular: 'stage', kind: 'Stage', listKind: 'StageList'},
  scope: 'Cluster',
  behaviour: {generation: 'spec'},
  versions: [
    {
      name: version,
      served: true,
      storage: true,
      schema: {
        description: 'Says how pods on simulated nodes behave, and what happens to them after a while.',
        type: 'object',
        required: ['spec'],
        properties: {
          spec: {
            type: 'object',
            properties: {
              priority: {type: 'integer', format: 'int32', description: 'Stages with higher numbers count first; 0 by default.'},
              selector: {
                type: 'object',
                description: 'Labels of the pods; all if absent.',
                properties: {
                  matchLabels: labels,
                  matchExpressions: {
                    type: 'array',
                    maxItems: 100,
                    items: {
                      type: 'object',
                      required: ['key', 'operator'],
                      properties: {
                        key: {type: 'string', maxLength: 317},
                        operator: {type: 'string', enum: ['In', 'NotIn', 'Exists', 'DoesNotExist']},
                        values: texts,
                      },
                    },
                  },
                },
              },
              namespaces: {...texts, description: 'Namespaces of the pods; all if absent.'},
              nodeSelector: {...labels, description: 'Labels of the nodes that the pods are on.'},
              images: {
                ...images,
                description: 'Images of the containers that the behaviour is for, in which * stands for anything; all if absent.',
              },
              behaviour: {
                type: 'object',
                description: 'How the pods behave, unless their annotations say otherwise.',
                properties: Object.fromEntries(words.map((word) => [word, longWords.has(word) ? longText : text])),
              },
              replacesBuiltIn: {
                type: 'boolean',
                description: 'Whether these pods live by the steps alone; only their deletion is as ever.',
              },
              steps: {
                type: 'array',
                maxItems: 50,
                description: 'What happens to the pods after a while. A step that would change nothing does not happen.',
                items: {
                  type: 'object',
                  properties: {
                    when: {
                      type: 'object',
                      properties: {
                        phases: {
                          type: 'array',
                          maxItems: 5,
                          items: {type: 'string', enum: ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']},
                        },
                        conditions: {
                          type: 'array',
                          maxItems: 20,
                          items: {type: 'object', required: ['type', 'status'], properties: {type: text, status: text}},
                        },
                        deleted: {type: 'boolean', description: 'Whether the pod is being deleted; false by default.'},
                      },
                    },
                    delay: {...text, description: 'A duration such as 5s, or 5s+2s, of which the second is added in part, at random.'},
                    status: {type: 'object', description: 'A merge patch of the status.', 'x-kubernetes-preserve-unknown-fields': true},
                    finalizers: {type: 'object', properties: {add: texts, remove: texts}},
                    delete: {type: 'boolean', description: 'Deletes the pod.'},
                    event: {
                      type: 'object',
                      required: ['reason', 'message'],
                      properties: {
                        type: {type: 'string', enum: ['Normal', 'Warning']},
                        reason: {type: 'string', maxLength: 128},
                        message: text,
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
      printerColumns: [
        {name: 'Priority', type: 'integer', description: 'Those with higher numbers count first.', jsonPath: '.spec.priority'},
        {name: 'Age', type: 'date', description: 'Time since it was made.', jsonPath: '.metadata.creationTimestamp'},
      ],
    },
  ],
};
