/** What `kubectl get TYPE -o wide` prints for the objects of the wide Tables, by resource, line by line; every age is `0s`. */
export const wideTexts: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'NAME       READY   STATUS             RESTARTS   AGE   IP         NODE     NOMINATED NODE   READINESS GATES',
    'new        0/1     Pending            0          0s    <none>     <none>   <none>           <none>',
    'troubled   1/2     CrashLoopBackOff   5          0s    10.1.2.3   node-a   node-b           1/2',
  ],
  replicationcontrollers: [
    'NAME   DESIRED   CURRENT   READY   AGE   CONTAINERS   IMAGES            SELECTOR',
    'old    2         2         1       0s    main,side    nginx:1,proxy:2   app=web,tier=a',
  ],
  replicasets: [
    'NAME    DESIRED   CURRENT   READY   AGE   CONTAINERS   IMAGES            SELECTOR',
    'web-1   3         3         2       0s    main,side    nginx:1,proxy:2   app=web,tier in (a,b)',
  ],
  deployments: [
    'NAME   READY   UP-TO-DATE   AVAILABLE   AGE   CONTAINERS   IMAGES            SELECTOR',
    'web    1/3     2            1           0s    main,side    nginx:1,proxy:2   app=web,tier in (a,b)',
  ],
  statefulsets: ['NAME   READY   AGE   CONTAINERS   IMAGES', 'db     2/3     0s    main,side    nginx:1,proxy:2'],
  daemonsets: [
    'NAME    DESIRED   CURRENT   READY   UP-TO-DATE   AVAILABLE   NODE SELECTOR     AGE   CONTAINERS   IMAGES            SELECTOR',
    'agent   5         4         3       2            1           disk=ssd,zone=a   0s    main,side    nginx:1,proxy:2   app=web,tier in (a,b)',
  ],
  jobs: [
    'NAME    COMPLETIONS   DURATION   AGE   CONTAINERS   IMAGES            SELECTOR',
    'done    1/1           3m30s      0s    main,side    nginx:1,proxy:2   app=web,tier in (a,b)',
    'queue   0/1 of 2                 0s    main,side    nginx:1,proxy:2   app=web',
  ],
  cronjobs: [
    'NAME      SCHEDULE    SUSPEND   ACTIVE   LAST SCHEDULE   AGE   CONTAINERS   IMAGES            SELECTOR',
    'nightly   0 4 * * *   True      2        <none>          0s    main,side    nginx:1,proxy:2   <none>',
  ],
  horizontalpodautoscalers: [
    'NAME   REFERENCE        TARGETS                             MINPODS   MAXPODS   REPLICAS   AGE',
    'web    Deployment/web   50%/80%, <unknown>/10 + 1 more...   1         5         2          0s',
  ],
  services: [
    'NAME      TYPE           CLUSTER-IP   EXTERNAL-IP                         PORT(S)         AGE   SELECTOR',
    'db        ClusterIP      None         <none>                              5432/TCP        0s    app=db,tier=back',
    'far       ExternalName   <none>       far.example                         <none>          0s    <none>',
    'public    LoadBalancer   10.96.0.77   192.0.2.9,lb.example,198.51.100.1   80:30080/TCP    0s    <none>',
    'waiting   LoadBalancer   10.96.0.78   <pending>                           53/UDP,53/TCP   0s    <none>',
  ],
  endpoints: [
    'NAME   ENDPOINTS                                          AGE',
    'many   10.1.0.1:80,10.1.0.2:80,[fd00::3]:81 + 1 more...   0s',
    'none   <none>                                             0s',
  ],
  ingresses: [
    'NAME    CLASS    HOSTS                                       ADDRESS                PORTS     AGE',
    'shop    nginx    a.example,b.example,c.example + 1 more...   192.0.2.10,192.0.2.9   80, 443   0s',
    'whole   <none>   *                                                                  80        0s',
  ],
  networkpolicies: ['NAME   POD-SELECTOR   AGE', 'all    <none>         0s', 'some   a,app=web      0s'],
  nodes: [
    'NAME    STATUS                     ROLES                AGE   VERSION   INTERNAL-IP   EXTERNAL-IP   OS-IMAGE    KERNEL-VERSION   CONTAINER-RUNTIME',
    'bare    Unknown                    <none>               0s              <none>        <none>        <unknown>   <unknown>        <unknown>',
    'first   Ready,SchedulingDisabled   control-plane,edge   0s    v1.26.1   10.9.0.1      203.0.113.1   Debian 12   6.1.0            containerd://1.7',
  ],
  persistentvolumes: [
    'NAME   CAPACITY   ACCESS MODES   RECLAIM POLICY   STATUS   CLAIM       STORAGECLASS   REASON   AGE   VOLUMEMODE',
    'disk   10Gi       RWO,ROX        Delete           Failed   shop/data   fast           Lost     0s    Filesystem',
  ],
  persistentvolumeclaims: [
    'NAME    STATUS    VOLUME   CAPACITY   ACCESS MODES   STORAGECLASS   AGE   VOLUMEMODE',
    'bound   Bound     disk     10Gi       RWO,RWX        fast           0s    Block',
    'open    Pending                                      fast           0s    Filesystem',
  ],
  storageclasses: [
    'NAME             PROVISIONER    RECLAIMPOLICY   VOLUMEBINDINGMODE      ALLOWVOLUMEEXPANSION   AGE',
    'fast (default)   disk.example   Delete          Immediate              true                   0s',
    'slow             tape.example   Retain          WaitForFirstConsumer   false                  0s',
  ],
  rolebindings: [
    'NAME      ROLE               AGE   USERS    GROUPS   SERVICEACCOUNTS',
    'readers   ClusterRole/view   0s    jo, mo   staff    shop/builder',
  ],
  events: [
    'LAST SEEN   TYPE      REASON   OBJECT   SUBOBJECT               SOURCE          MESSAGE         FIRST SEEN   COUNT   NAME',
    '<unknown>   Warning   Failed   pod/p    spec.containers{main}   agent, node-a   no space left   <unknown>    3       full',
  ],
};
