import type {ServerResponse} from 'node:http';
import {
  forbidden,
  inject,
  route,
  Tokens,
  tooManyRequests,
  type AccessReviewer,
  type Expressions,
  type NamingProfile,
  type Route,
  type RouteRequest,
  type Scheduler,
  type ServedSchemas,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import {Places} from './places.js';
import {readJsonBody} from './read-body.js';
import {sendJson} from './send-json.js';

/**
 * Tries expressions of policies and of validation rules on objects that come with the request: results, costs and type errors. Whoever is known may: nothing is read but the schema of a type, which
 * discovery has for everybody too, and what `authorizer` answers is what the user may ask by reviews.
 */
@route()
export class ExpressionTrials implements Route {
  readonly #expressions: Expressions;
  readonly #schemas: ServedSchemas;
  readonly #access: AccessReviewer;
  readonly #scheduler: Scheduler;
  readonly #naming: NamingProfile;
  readonly #places = new Places(bounds.trialsAtOnce, bounds.trialsWaiting);

  constructor(
    @inject(Tokens.Expressions) expressions: Expressions,
    @inject(Tokens.ServedSchemas) schemas: ServedSchemas,
    @inject(Tokens.Access) access: AccessReviewer,
    @inject(Tokens.Scheduler) scheduler: Scheduler,
    @inject(Tokens.Naming) naming: NamingProfile,
  ) {
    this.#expressions = expressions;
    this.#schemas = schemas;
    this.#access = access;
    this.#scheduler = scheduler;
    this.#naming = naming;
  }

  async handle({incoming, path, user, signal}: RouteRequest, response: ServerResponse): Promise<void> {
    if (user.groups.includes('system:unauthenticated'))
      throw forbidden({group: '', resource: ''}, `User ${JSON.stringify(user.username)} cannot post path ${JSON.stringify(path)}`);
    const body = await readJsonBody(incoming, bounds.trialBytes);
    // Loaded with the first trial.
    const [{readTrial}, {TrialRun}] = await Promise.all([import('./trial-request.js'), import('./run-trial.js')]);
    const trial = readTrial(body);
    const full = () => tooManyRequests('too many expressions are being tried', 1);
    await this.#places.within(user.username, signal, full, async () => {
      const task = this.#scheduler.task('request', 'trial of expressions');
      task.begin();
      const parts = {
        expressions: this.#expressions,
        schemas: this.#schemas,
        access: this.#access,
        naming: this.#naming,
        user,
        task,
        signal,
      };
      const outcomes = await new TrialRun(trial, parts).run();
      if (!signal.aborted) sendJson(response, {outcomes});
    });
  }
}
