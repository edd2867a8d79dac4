import {isDeepStrictEqual} from 'node:util';
import type {CborAnswer} from './cbor-answers.js';

/** What was answered in another way than by the real server. */
export interface CborDifference {
  readonly about: string;
  readonly real: CborAnswer;
  readonly own: CborAnswer | undefined;
  /** Why it stays; undefined if it is open. */
  readonly known: string | undefined;
}

type Members = Record<string, unknown>;

interface KnownDifference {
  readonly reason: string;
  readonly is: (about: string, real: CborAnswer, own: CborAnswer) => boolean;
}

function messageOf({body}: CborAnswer): string {
  const whole = Array.isArray(body) ? (body[0] as Members | undefined)?.['tag 55799'] : body;
  return String((whole as Members | undefined)?.['message'] ?? '');
}

const bothRefuse = (real: CborAnswer, own: CborAnswer) => real.status >= 400 && own.status >= 400 && own.status < 500;

const known: readonly KnownDifference[] = [
  {
    reason: 'What applies a configuration that does not fit is refused with 400, and all unknown fields are named (decision 75).',
    is: (about, real, own) => about.startsWith('applied') && real.status === 500 && own.status === 400,
  },
  {
    reason: 'What is no object of a kind is refused in the words that JSON has here.',
    is: (about, real, own) =>
      bothRefuse(real, own) && /Object '(?:Kind|apiVersion)' is missing|^invalid object type: /.test(messageOf(real)) && about !== '',
  },
  {
    reason: 'A form that the object cannot have is none of those that are accepted.',
    is: (_about, real, own) =>
      real.status === 406 && own.status === 406 && messageOf(real).startsWith('you requested PartialObjectMetadata'),
  },
  {
    reason: 'Protobuf is not among the forms of custom resources, of which there are no numbers of fields.',
    is: (_about, real, own) => messageOf(real).replace('application/vnd.kubernetes.protobuf, ', '') === messageOf(own),
  },
  {
    reason: 'A float that is whole is an integer, as in JSON.',
    is: (about) => about === 'a widget with: a whole float',
  },
  {
    reason: 'A new definition has an empty list of conditions, which is null there.',
    is: (about, real, own) => about === 'a definition is made' && real.status === own.status,
  },
  {
    reason: 'What was deleted is a Status here, as it is for built-in types.',
    is: (about, real, own) => about === 'all widgets are deleted' && real.status === own.status,
  },
];

/** Members of which lists of built-in types say their kind here, which clients fill in there; an empty token of a list is none. */
function likened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(likened);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).flatMap(([name, member]) => {
    if (name === 'continue' && member === '') return [];
    if (name === 'items' && Array.isArray(member)) return [[name, member.map((one) => likened(withoutKind(one as Members)))]];
    return [[name, likened(member)]];
  });
  return Object.fromEntries(members as [string, unknown][]);
}

function withoutKind({kind: _kind, apiVersion: _version, ...rest}: Members): Members {
  return rest;
}

export function cborDifferences(
  real: Readonly<Record<string, CborAnswer>>,
  own: Readonly<Record<string, CborAnswer>>,
): readonly CborDifference[] {
  return Object.entries(real).flatMap(([about, theirs]) => {
    const mine = own[about];
    if (isDeepStrictEqual(likened(theirs), likened(mine))) return [];
    return [{about, real: theirs, own: mine, known: mine && known.find(({is}) => is(about, theirs, mine))?.reason}];
  });
}
