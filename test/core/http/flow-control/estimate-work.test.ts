import test from 'ava';
import {WorkEstimator} from '../../../../core/http/flow-control/estimate-work.js';
import {WatchCounts} from '../../../../core/http/flow-control/watch-counts.js';
import {parseRequestInfo} from '../../../../core/http/request/request-info.js';

const pods = '/api/v1/namespaces/a/pods';

function world(objects: number | undefined) {
  const watches = new WatchCounts();
  const estimator = new WorkEstimator({countObjects: () => objects, watches});
  const info = (method: string, url: string) => {
    const [path, text = ''] = url.split('?') as [string, string?];
    const query = new URLSearchParams(text);
    return {info: parseRequestInfo(method, path, query), query};
  };
  return {
    estimate(method: string, url: string) {
      const request = info(method, url);
      return estimator.estimate(request.info, request.query);
    },
    watch: (url: string, count: number) => {
      for (let index = 0; index < count; index += 1) watches.add(info('GET', `${url}?watch=1`).info);
    },
    unwatch: (url: string, count: number) => {
      for (let index = 0; index < count; index += 1) watches.remove(info('GET', `${url}?watch=1`).info);
    },
  };
}

test('lists take seats by the objects that have to be looked at, between one and ten', (t) => {
  const {estimate} = world(420);
  const cases: [string, number][] = [
    ['', 9],
    ['?limit=100', 2],
    ['?limit=10', 1],
    ['?limit=500', 9],
    ['?limit=100&labelSelector=a%3Db', 6],
    ['?fieldSelector=spec.nodeName%3Dx', 9],
    ['?resourceVersion=0', 5],
    ['?resourceVersion=0&limit=100', 5],
    ['?resourceVersion=7', 5],
    ['?resourceVersion=7&limit=100', 2],
    ['?resourceVersion=7&resourceVersionMatch=Exact', 9],
    ['?continue=x&limit=100', 2],
    ['?fieldSelector=metadata.name%3Dx', 1],
    ['?limit=none', 9],
    ['?limit=-1', 9],
  ];
  for (const [query, seats] of cases) t.deepEqual(estimate('GET', `${pods}${query}`), {seats, finalSeats: 0, finalMillis: 0}, query);
  t.is(world(100_000).estimate('GET', pods).seats, 10);
  t.is(world(0).estimate('GET', pods).seats, 1);
  t.is(world(undefined).estimate('GET', pods).seats, 1);
});

test('other reads take one seat', (t) => {
  const {estimate} = world(100_000);
  for (const url of [`${pods}/x`, '/version', `${pods}?watch=1`]) t.is(estimate('GET', url).seats, 1);
  t.is(estimate('DELETE', pods).seats, 1);
});

test('writes take seats behind their answer when ten watches or more have to be told', (t) => {
  const {estimate, watch, unwatch} = world(1);
  const write = (seats: number, finalSeats: number, finalMillis: number) => ({seats, finalSeats, finalMillis});
  watch(pods, 9);
  t.deepEqual(estimate('POST', pods), write(1, 0, 0));
  watch('/api/v1/pods', 3);
  watch('/api/v1/namespaces/b/pods', 50);
  watch('/apis/apps/v1/pods', 50);
  t.deepEqual(estimate('POST', pods), write(1, 2, 5));
  watch(`${pods}/x`, 18);
  t.deepEqual(estimate('PUT', `${pods}/x`), write(1, 3, 5));
  t.deepEqual(estimate('PATCH', `${pods}/y`), write(1, 2, 5));
  watch(pods, 991);
  t.deepEqual(estimate('DELETE', `${pods}/y`), write(1, 10, 50.5));
  unwatch(pods, 1000);
  t.deepEqual(estimate('DELETE', `${pods}/y`), write(1, 0, 0));
});

test('making a token tells no watch anything', (t) => {
  const {estimate, watch} = world(1);
  watch('/api/v1/serviceaccounts', 100);
  t.is(estimate('POST', '/api/v1/namespaces/a/serviceaccounts/x/token').finalSeats, 0);
  t.is(estimate('POST', '/api/v1/namespaces/a/serviceaccounts').finalSeats, 10);
});
