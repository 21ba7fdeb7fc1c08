<?php

// A real HTTP server that answers with the replies of its argument in turn, and repeats the last one. It prints its
// port, and appends each request that arrives to a file, one on a line.

declare(strict_types=1);

[, $replies, $log] = $argv;
$replies = json_decode($replies, true, flags: JSON_THROW_ON_ERROR);
$server = stream_socket_server('tcp://127.0.0.1:0') ?: exit(1);
echo parse_url('tcp://' . stream_socket_get_name($server, false), PHP_URL_PORT), "\n";
$open = [];
for ($number = 0; ; $number++) {
    $connection = stream_socket_accept($server, -1) ?: exit(1);
    [$method, $path] = explode(' ', (string) fgets($connection));
    $headers = [];
    while (($line = trim((string) fgets($connection))) !== '') {
        [$name, $value] = explode(':', $line, 2);
        $headers[strtolower($name)] = trim($value);
    }
    $length = (int) ($headers['content-length'] ?? 0);
    $body = $length > 0 ? stream_get_contents($connection, $length) : '';
    $arrived = ['method' => $method, 'path' => $path, 'headers' => $headers, 'body' => $body];
    file_put_contents($log, json_encode($arrived) . "\n", FILE_APPEND);
    $reply = $replies[min($number, count($replies) - 1)];
    if ($reply === 'lost') {
        fclose($connection);
    } elseif ($reply === 'never') {
        $open[] = $connection;
    } else {
        if ($reply === 'slow') {
            sleep(1);
        }
        [$status, $sent, $text] = $reply === 'slow' ? [200, [], '{"slow":true}'] : $reply;
        $lines = ["HTTP/1.1 $status -", 'connection: close', 'x-request-id: req_1'];
        foreach ($sent + ['content-length' => strlen($text)] as $name => $value) {
            $lines[] = "$name: $value";
        }
        fwrite($connection, implode("\r\n", $lines) . "\r\n\r\n$text");
        fclose($connection);
    }
}
