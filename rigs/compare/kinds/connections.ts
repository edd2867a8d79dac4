import type {CompareRequest} from '../compare-request.js';
import type {KindContext} from './request-kind.js';

const pod = '/api/v1/namespaces/default/pods/base';
const paths = [
  ...[pod, pod.replace('base', 'missing')].flatMap((one) => [
    ...['exec', 'attach'].flatMap((name) => [
      `${one}/${name}`,
      `${one}/${name}?command=ls&stdout=true`,
      `${one}/${name}?container=other&command=ls&stdout=1`,
      `${one}/${name}?container=main`,
      `${one}/${name}?stdin=x`,
      `${one}/${name}?tty=true&stderr=true&stdout=true`,
      `${one}/${name}?stdout=false&stdin=false&stderr=false&command=x`,
    ]),
    ...[
      '',
      '?container=main',
      '?container=other',
      '?tailLines=-1',
      '?tailLines=x',
      '?limitBytes=0',
      '?limitBytes=-1',
      '?sinceSeconds=0',
      '?sinceSeconds=-5',
      '?sinceTime=x',
      '?sinceTime=2030-01-01T00:00:00Z&sinceSeconds=5',
      '?previous=x',
      '?follow=x',
      '?timestamps=true',
      '?stream=x',
      '?stream=Stdout',
      '?stream=Stdout&tailLines=1',
      '?insecureSkipTLSVerifyBackend=true',
      '?unknown=1',
    ].map((query) => `${one}/log${query}`),
    ...['', '?ports=80', '?ports=x', '?ports=0', '?ports=70000'].map((query) => `${one}/portforward${query}`),
    ...['', '/', '/a/b', '?path=/x', '/a?b=c'].map((rest) => `${one}/proxy${rest}`),
  ]),
  ...['base:80', 'http:base:80', 'https:base:80', 'ftp:base:80', 'base:x', 'http:base', 'a:b:c:d', 'base:', ':80'].map(
    (name) => `/api/v1/namespaces/default/pods/${name}/proxy/`,
  ),
  ...['missing', 'missing:80', 'https:missing:80', 'http:missing:', 'missing:other', 'base:other', 'x:base:80', 'a:b:c:d', ':80'].flatMap(
    (name) => [`/api/v1/namespaces/default/services/${name}/proxy`, `/api/v1/namespaces/default/services/${name}/proxy/x`],
  ),
  ...['base', 'missing', 'base:80', 'https:base:10250', 'x:base:80', ':80'].flatMap((name) => [
    `/api/v1/nodes/${name}/proxy`,
    `/api/v1/nodes/${name}/proxy/x`,
  ]),
];

/** Connections to pods, nodes and services that cannot be made: there are no nodes. */
export function connectionRequests(_context: KindContext): CompareRequest[] {
  return paths.flatMap((path) =>
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => ({
      method,
      path,
      about: `connections ${path.split('?')[0]!.split('/').at(-1)!}`,
    })),
  );
}
