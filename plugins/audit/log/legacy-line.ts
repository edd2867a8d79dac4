import type {AuditEvent} from '../../../sdk/index.js';

/** An event as a line of text, in Kubernetes' format `legacy`: without bodies. */
export function legacyLine(event: AuditEvent): Buffer {
  const {user, impersonatedUser, objectRef, responseStatus} = event;
  const quoted = (value: string) => JSON.stringify(value);
  const groupsText = (groups: readonly string[]) => quoted(groups.map(quoted).join(','));
  const members = {
    id: quoted(event.auditID),
    stage: quoted(event.stage),
    ip: quoted(event.sourceIPs[0] ?? '<unknown>'),
    method: quoted(event.verb),
    user: quoted(user?.username ?? '<none>'),
    groups: user && user.groups.length > 0 ? groupsText(user.groups) : quoted('<none>'),
    as: quoted(impersonatedUser?.username ?? '<self>'),
    asgroups: impersonatedUser ? groupsText(impersonatedUser.groups) : quoted('<lookup>'),
    'user-agent': quoted(event.userAgent),
    namespace: quoted(objectRef?.namespace ?? '<none>'),
    uri: quoted(event.requestURI),
    response: `"${responseStatus?.code ?? '<deferred>'}"`,
  };
  const text = Object.entries(members).map(([name, value]) => `${name}=${value}`);
  return Buffer.from(`${event.requestReceivedTimestamp} AUDIT: ${text.join(' ')}`);
}
