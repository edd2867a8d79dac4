import test from 'ava';
import {exportTraces} from '../../../../core/http/filters/export-traces.js';
import type {AuthenticatedExchange} from '../../../../core/http/request/stages.js';
import {RequestTrace} from '../../../../core/tracing/request-trace.js';
import {Tracer, type FinishedTrace} from '../../../../core/tracing/tracer.js';
import {resolveNaming} from '../../../../core/options/resolve-naming.js';

test('what a trace that waits keeps of a request is small, however long its path, its id and its headers are', async (t) => {
  const kept: FinishedTrace[] = [];
  const tracer = new Tracer({samplingRate: 1, sink: {add: (finished) => void kept.push(finished)}});
  const long = 'x'.repeat(60_000);
  let finish: () => void = () => undefined;
  const exchange = {
    trace: new RequestTrace(performance.now(), 0),
    user: {username: 'someone', groups: []},
    method: 'GET',
    path: `/${long}`,
    id: long,
    response: {headersSent: true, statusCode: 404},
    info: {
      isResourceRequest: true,
      verb: 'get',
      group: long,
      version: long,
      resource: long,
      subresource: long,
      namespace: long,
      name: 'n',
      segments: [long],
    },
    header: (name: string) => (name === 'user-agent' ? long : undefined),
    annotate: () => undefined,
    whenFinished: (callback: () => void) => (finish = callback),
  } as unknown as AuthenticatedExchange;
  await exportTraces(tracer, resolveNaming('orch', undefined))(exchange, () => Promise.resolve());
  finish();
  const [{name, attributes}] = kept as [FinishedTrace];
  const texts = [name, ...Object.values(attributes).map(String)];
  t.deepEqual(
    texts.filter(({length}) => length > 256),
    [],
  );
  t.is(attributes['url.path'], `/${long}`.slice(0, 256));
});
