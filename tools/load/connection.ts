/**
 * One keep-alive connection that sends and reads with as little work as possible, because the load generator must not
 * distort the measurement.
 */
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';

export interface Answer {
  status: number;
  text: string;
}

export interface Connection {
  /** Sends one request at a time. @param request its exact bytes @throws when the connection breaks */
  exchange(request: string | Buffer): Promise<Answer>;
  close(): void;
}

const HEADERS_END = '\r\n\r\n';

/** @throws when nothing listens on the port */
export async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  let received = '';
  let settle: { resolve(answer: Answer): void; reject(error: Error): void } | null = null;
  const fail = (error: Error): void => {
    settle?.reject(error);
    settle = null;
  };
  socket
    .setEncoding('utf8')
    .on('data', (part: string) => {
      received += part;
      const answer = wholeAnswer(received);
      if (answer === null) return;
      received = '';
      settle?.resolve(answer);
      settle = null;
    })
    .on('error', fail)
    .on('close', () => fail(new Error('the connection was closed')));
  return {
    exchange: (request) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        if (socket.destroyed) fail(new Error('the connection was closed'));
        else socket.write(request);
      }),
    close: () => socket.destroy(),
  };
}

/** Returns null until the response is complete. */
function wholeAnswer(received: string): Answer | null {
  const end = received.indexOf(HEADERS_END);
  if (end < 0) return null;
  const length = Number(/content-length: (\d+)/i.exec(received)?.[1]);
  const text = received.slice(end + HEADERS_END.length);
  if (Buffer.byteLength(text) < length) return null;
  return { status: Number(received.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)), text };
}
