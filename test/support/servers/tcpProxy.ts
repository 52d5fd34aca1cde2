/** A TCP proxy that a test can interrupt: connections then break, or no data passes through them. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';

export interface TcpProxy {
  address: string;
  /** `cut`: existing and new connections break. `silent`: they stay open and carry no data. */
  mode: 'open' | 'cut' | 'silent';
  /** Breaks the current connections in any mode. */
  breakConnections(): void;
  close(): Promise<void>;
}

/** @param onSent called when data of a client has been passed on to the target */
export async function startTcpProxy(target: string, onSent?: () => void): Promise<TcpProxy> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  const track = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    track(near);
    if (proxy.mode === 'cut') return near.destroy();
    const far = connect(Number(port), host);
    track(far);
    near
      .on('data', (data) => {
        if (proxy.mode === 'open') far.write(data, (error) => error || onSent?.());
      })
      .on('close', () => far.destroy());
    far
      .on('data', (data) => {
        if (proxy.mode === 'open') near.write(data);
      })
      .on('close', () => near.destroy());
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const proxy: TcpProxy = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    mode: 'open',
    breakConnections() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      proxy.breakConnections();
      await closed;
    },
  };
  return proxy;
}
