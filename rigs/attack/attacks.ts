import type {Attack} from './attack.js';
import {owners} from './families/owners.js';
import {observing} from './families/observing.js';
import {controllers} from './families/controllers.js';
import {backends} from './families/backends.js';
import {aggregation} from './families/aggregation.js';
import {access} from './families/access.js';
import {browsers} from './families/browsers.js';
import {consoleAttacks} from './families/console.js';
import {churn, crowds} from './families/churn.js';
import {connections} from './families/connections.js';
import {definitions} from './families/definitions.js';
import {inspection} from './families/inspection.js';
import {expressions} from './families/expressions.js';
import {delivery} from './families/delivery.js';
import {headers} from './families/headers.js';
import {http2} from './families/http2.js';
import {jsonBodies} from './families/json-bodies.js';
import {patches} from './families/patches.js';
import {pipelining} from './families/pipelining.js';
import {protobufBodies} from './families/protobuf-bodies.js';
import {proxies} from './families/proxies.js';
import {queryAttacks} from './families/queries.js';
import {rbac} from './families/roles.js';
import {services} from './families/services.js';
import {smuggling} from './families/smuggling.js';
import {validation} from './families/validation.js';
import {watches} from './families/watches.js';
import {webSockets} from './families/websockets.js';
import {yamlBodies} from './families/yaml-bodies.js';

/** All attacks, by family. */
export const attacks: readonly Attack[] = [
  ...pipelining,
  ...connections,
  ...http2,
  ...headers,
  ...delivery,
  ...smuggling,
  ...browsers,
  ...consoleAttacks,
  ...jsonBodies,
  ...yamlBodies,
  ...protobufBodies,
  ...validation,
  ...rbac,
  ...patches,
  ...queryAttacks,
  ...watches,
  ...webSockets,
  ...definitions,
  ...expressions,
  ...access,
  ...churn,
  ...crowds,
  ...proxies,
  ...aggregation,
  ...services,
  ...backends,
  ...owners,
  ...controllers,
  ...observing,
  ...inspection,
];
