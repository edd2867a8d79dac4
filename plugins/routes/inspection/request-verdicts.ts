import type {ServerResponse} from 'node:http';
import {
  inject,
  notFound,
  route,
  Tokens,
  type AccessReviewer,
  type RequestReport,
  type RequestReports,
  type Route,
  type RouteRequest,
  type UserInfo,
} from '../../../sdk/index.js';
import * as bounds from './bounds.js';
import {valueOf} from './object-query.js';
import {mayGet} from './own-right.js';
import {ReportLog} from './report-log.js';
import {sendJson} from './send-json.js';

const root = '/inspection/requests/';
/** Who may `get` this path sees the requests of everybody. */
const pathOfAll = '/inspection/requests/of-all-users';

/**
 * What the filters and the admission chain said for a request, by its id; without an id the requests that were refused, wrote something or took long, newest first. Users see their own
 * ones.
 */
@route()
export class RequestVerdicts implements Route {
  readonly #log = new ReportLog();
  readonly #access: AccessReviewer;

  constructor(@inject(Tokens.RequestReports) reports: RequestReports, @inject(Tokens.Access) access: AccessReviewer) {
    this.#access = access;
    reports.listen((report) => this.#log.add(report));
  }

  async handle({path, query, user}: RouteRequest, response: ServerResponse): Promise<void> {
    const id = idOf(path);
    const isVisible = await this.#visibleTo(user);
    sendJson(response, {items: id === '' ? this.#list(query, isVisible) : this.#find(id, isVisible)});
  }

  #list(query: URLSearchParams, isVisible: (report: RequestReport) => boolean): object[] {
    const onlySlow = valueOf(query, 'slow') === 'true';
    const onlyRefused = valueOf(query, 'refused') === 'true';
    const items: object[] = [];
    for (const report of this.#log.newest()) {
      if (!isVisible(report) || (onlySlow && !isSlow(report)) || (onlyRefused && report.code < 400)) continue;
      const {id, time, method, path, user, impersonator, code, reason, seconds, isLasting} = shown(report);
      items.push({id, time, method, path, user, impersonator, code, reason, seconds, isLasting});
      if (items.length >= bounds.reportsListed) break;
    }
    return items;
  }

  #find(id: string, isVisible: (report: RequestReport) => boolean): object[] {
    const items = this.#log.find(id).filter(isVisible);
    // The same for a request that is not there and for one that is not the user's.
    if (items.length === 0) throw notFound({group: '', resource: 'requests', name: id.slice(0, bounds.parameter)});
    return items.map(shown);
  }

  /** What a user may see: the own requests, or those of everybody. */
  async #visibleTo(user: UserInfo): Promise<(report: RequestReport) => boolean> {
    if (await mayGet(this.#access, user, pathOfAll)) return () => true;
    if (user.groups.includes('system:unauthenticated')) return () => false;
    return (report) => report.user === user.username || report.impersonator === user.username;
  }
}

function idOf(path: string): string {
  const text = path.slice(root.length);
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isSlow({seconds, isLasting}: RequestReport): boolean {
  return seconds > bounds.slowSeconds && !isLasting;
}

function shown(report: RequestReport) {
  return {...report, time: new Date(report.time).toISOString()};
}
