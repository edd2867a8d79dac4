import type {CompareRequest} from '../compare-request.js';
import {dryRun, newObject, withQuery, type KindContext, type KnownType} from './request-kind.js';

const json = 'application/json';
const accepts = [
  '',
  '*/*',
  'application/*',
  json,
  'application/yaml',
  'application/vnd.kubernetes.protobuf',
  'application/cbor',
  'application/cbor-seq',
  'text/plain',
  'text/html',
  'application/xml',
  'x',
  ';',
  ',',
  'application/json;q=0',
  'application/json;q=x',
  'application/xml,application/json;q=0.1',
  'application/json;pretty=1',
  'application/json;stream=watch',
  'application/json;unknown=1',
  ...['g=meta.k8s.io;v=v1', 'g=meta.k8s.io;v=v1beta1', 'g=meta.k8s.io;v=v9', 'g=other;v=v1', 'v=v1', 'g=meta.k8s.io', ''].flatMap((of) =>
    ['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList', 'Other'].map((as) => `${json};as=${as}${of === '' ? '' : `;${of}`}`),
  ),
  `${json};as=Table;g=meta.k8s.io;v=v1,${json}`,
  `${json};as=Other;g=meta.k8s.io;v=v1,${json}`,
  'application/yaml;as=Table;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
  'application/vnd.kubernetes.protobuf;as=Table;g=meta.k8s.io;v=v1',
  `${json};g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList`,
];

function of(known: KnownType): CompareRequest[] {
  const {collection, object, title} = known;
  return accepts.flatMap((accept): CompareRequest[] => {
    const more = {headers: {accept, 'content-type': json}, about: `${title} accept ${accept}`};
    return [
      {method: 'GET', path: object, ...more},
      {method: 'GET', path: `${collection}?limit=1`, ...more},
      {method: 'GET', path: object.replace(/[^/]+$/, 'missing'), ...more},
      {method: 'GET', path: `${collection}?watch=1&resourceVersion=x&timeoutSeconds=1`, ...more},
      {method: 'POST', path: withQuery(collection, [dryRun]), body: newObject(known), ...more},
      {method: 'DELETE', path: withQuery(object, [dryRun]), ...more},
      {method: 'GET', path: `${object}?includeObject=x`, ...more},
      {method: 'GET', path: `${collection}?includeObject=Metadata&limit=1`, ...more},
    ];
  });
}

/** What clients accept, for objects, lists, errors and documents. */
export function representationRequests({types}: KindContext): CompareRequest[] {
  const documents = ['/api', '/apis', '/api/v1', '/apis/apps', '/apis/apps/v1', '/version', '/nothing', '/openapi/v3/nothing'].flatMap(
    (path) => accepts.map((accept) => ({method: 'GET', path, headers: {accept}, about: `documents accept ${accept}`})),
  );
  return [...documents, ...types.flatMap(of)];
}
