import test from 'ava';
import {orch} from '../../../core/api/naming/orch.js';
import {SchemaCatalog} from '../../../core/api/object-schema/schema-catalog.js';
import {ServerExpressions} from '../../../core/catalog/server-expressions.js';
import {readConfiguration} from '../../../plugins/authenticators/oidc/read-configuration.js';
import type {JsonObject} from '../../../sdk/index.js';
import {makeAuthority, makeLeaf} from '../../helpers/test-certificates.js';

const type = {apiVersion: 'apiserver.config.orch/v1beta1', kind: 'AuthenticationConfiguration'};
const simple = {username: {claim: 'sub', prefix: ''}};

test('a configuration says in words what is wrong with it, and where', async (t) => {
  const leaf = (await makeLeaf(await makeAuthority(), 'server', 'provider')).certificate;
  const catalog = new SchemaCatalog();
  const tools = {
    naming: orch,
    gates: {enabled: (gate: string) => gate === 'AnonymousAuthConfigurableEndpoints'},
    release: '1.26',
    accountIssuers: ['https://accounts.example.org'],
    expressions: new ServerExpressions(catalog),
    keyRefreshMillis: 1000,
  };
  const url = 'https://a.example.org';
  const issuer = {url, audiences: ['x']};
  const jwt = (...items: object[]) => ({...type, jwt: items});
  const faults: [object, RegExp][] = [
    [
      {...type, apiVersion: 'apiserver.config.orch/v2', jwt: []},
      /^no kind "AuthenticationConfiguration" is registered for version "apiserver\.config\.orch\/v2"$/,
    ],
    [
      {...type, jwt: [], anonymous: {conditions: [{path: '/livez'}]}},
      /anonymous\.conditions: Invalid value: .*: enabled should be set to true when conditions are defined$/,
    ],
    [{...type, kind: 'X'}, /^no kind "X" is registered for version/],
    [{jwt: []}, /^Object 'Kind' is missing in /],
    [
      {...jwt({issuer: {...issuer, urls: 1}}), extra: 1},
      /^strict decoding error: unknown field "jwt\[0\]\.issuer\.urls", unknown field "extra"$/,
    ],
    [
      jwt({issuer: {...issuer, url: 'https://accounts.example.org', egressSelectorType: 'elsewhere'}, claimMappings: simple}),
      /URL must not overlap with disallowed issuers: \[https:\/\/accounts.*EgressSelector feature gate is disabled.*must be either controlplane or cluster/,
    ],
    [jwt({issuer: {...issuer, url: 7}}), /jwt\[0\]\.issuer\.url: Invalid value: "integer"/],
    [
      jwt({issuer: {url: 'http://u:p@a.example.org?a#b'}, claimMappings: simple}),
      /scheme must be https.*username or password.*query.*fragment.*audiences: Required value/,
    ],
    [jwt({issuer: {...issuer, discoveryURL: `${url}/`}, claimMappings: simple}), /discoveryURL must be different from URL/],
    [
      jwt({issuer: {url, audiences: ['x', 'x', '']}, claimMappings: simple}),
      /audiences\[1\]: Duplicate.*audiences\[2\]: Required.*MatchAny for multiple/,
    ],
    [jwt({issuer: {...issuer, certificateAuthority: leaf}, claimMappings: simple}), /certificateAuthority: .*CA flag/],
    [jwt({issuer, claimMappings: simple}, {issuer, claimMappings: simple}), /jwt\[1\]\.issuer\.url: Duplicate value/],
    [jwt({issuer}), /claimMappings\.username: Required value: claim or expression is required/],
    [jwt({issuer, claimMappings: {username: {claim: 'sub'}}}), /username\.prefix: Required value: prefix is required when claim is set/],
    [jwt({issuer, claimMappings: {username: {claim: 'sub', expression: 'x'}}}), /claim and expression can't both be set/],
    [
      jwt({issuer, claimMappings: {username: {expression: 'claims.sub', prefix: 'x'}}}),
      /username\.prefix: Invalid value: "x": may not be specified when expression is set/,
    ],
    [jwt({issuer, claimMappings: {username: {expression: 'claims.'}}}), /username\.expression: Invalid value: .*compilation failed/],
    [jwt({issuer, claimMappings: {username: {expression: 'claims.email'}}}), /claims\.email_verified must be used/],
    [
      jwt({issuer, claimMappings: {...simple, extra: [{key: 'Foo'}, {key: 'a.orch/b', valueExpression: '"x"'}]}}),
      /domain-prefixed path.*lowercase.*valueExpression: Required.*reserved for Kubernetes use/,
    ],
    [
      jwt({
        issuer,
        claimMappings: simple,
        claimValidationRules: [{}, {claim: 'a', message: 'm'}, {claim: 'a'}, {expression: 'true', requiredValue: 'b'}],
      }),
      /\[0\]: Required.*\[1\]\.message: Invalid.*\[2\]\.claim: Duplicate.*\[3\]\.requiredValue: Invalid/,
    ],
    [
      jwt({issuer, claimMappings: simple, userValidationRules: [{expression: 'user.name == ""'}, {}]}),
      /userValidationRules\[0\]\.expression: Invalid[^]*userValidationRules\[1\]\.expression: Required/,
    ],
    [jwt(...Array.from({length: 65}, () => ({issuer}))), /jwt: Too many: 65: must have at most 64 items/],
  ];
  for (const [content, reason] of faults) await t.throwsAsync(readConfiguration(content as JsonObject, tools), {message: reason});
});
