//! Names and values that announce a secret.

use codewhale_mcp_redact::{is_ordinary, is_secret_name, looks_like_secret};

#[test]
fn names_that_announce_a_secret() {
    for name in [
        "token",
        "GITHUB_TOKEN",
        "--token",
        "X-API-Key",
        "apiKey",
        "api_key",
        "AWS_SECRET_ACCESS_KEY",
        "PGPASSWORD",
        "clientSecret",
        "client_secret",
        "Authorization",
        "Proxy-Authorization",
        "Cookie",
        "Set-Cookie",
        "DB_PASS",
        "db.pwd",
        "OPENAI_APIKEY",
        "NPM_AUTHTOKEN",
        "auth",
        "key",
        "ssh-key",
        "GITHUB_PAT",
        "accessToken",
        "SENTRY_DSN",
        "--tokens",
        "access_tokens",
        "AUTHTOKENS",
        "--api-keys",
        "apiKeys",
        "passwords",
        "--creds",
        "db-pw",
        "cookies",
        "encryption_key_base",
    ] {
        assert!(is_secret_name(name), "{name}");
    }
    for name in [
        "",
        "PWD",
        "OLDPWD",
        "max_tokens",
        "--num-tokens",
        "maxOutputTokens",
        "context-tokens-limit",
        "keys",
        "--sort-keys",
        "tokenizer",
        "TOKEN_FILE",
        "token_endpoint",
        "primary_key",
        "public-key",
        "keyboard",
        "author",
        "bypass",
        "path",
        "HOME",
        "NODE_ENV",
        "monkey",
        "Accept",
        "password_file",
        "compass",
    ] {
        assert!(!is_secret_name(name), "{name}");
    }
}

#[test]
fn values_that_look_like_a_secret() {
    for value in [
        "sk-proj-abcdefghijklmnop",
        "sk-secretvalue123",
        "sk-short12345",
        "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
        "github_pat_11ABCDEFG0abcdefghij",
        "xoxb-1234567890-abc",
        "AKIAIOSFODNN7EXAMPLE",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc",
        "Bearer abcdef123",
        "basic dXNlcjpwYXNz",
        "-----BEGIN RSA PRIVATE KEY-----\nMII",
        "glpat-abcdefghijklmnop",
    ] {
        assert!(looks_like_secret(value), "{value}");
    }
    for value in [
        "",
        "sk-",
        "sk-learn",
        "sk-learning",
        "sk-2",
        "sk-learn-1.5.2",
        "hello",
        "/usr/bin/node",
        "@scope/pkg",
        "Bearer",
        "bearer of news",
        "AKIA",
        "8080",
    ] {
        assert!(!looks_like_secret(value), "{value}");
    }
}

#[test]
fn settings_are_told_from_what_may_be_a_secret() {
    for value in [
        "",
        "1",
        "true",
        "debug",
        "1234567890.5",
        "production",
        "Europe/Berlin",
        "/usr/bin",
        "/usr/bin:/bin:/usr/local/bin",
        "~/.config/x",
        "C:\\Users\\me",
        "--max-old-space-size=4096",
        "localhost:5432",
        "db.internal.test:5432",
        "192.168.1.20:8080",
        "https://api.example.com/v1",
        "http://localhost:3000",
    ] {
        assert!(is_ordinary(value), "{value}");
    }
    for value in [
        "topsecret1",
        "postgres://bob:topsecret1@db/x",
        "mongodb://u:p@h",
        "https://h.test/?x=topsecret",
        "https://h.test/webhook/abc123",
        "Server=x;Password=y",
        "sk-short12345",
        "correct-horse-battery-staple",
        "AbCdEf12:34",
        "bob:topsecret1@host/db",
    ] {
        assert!(!is_ordinary(value), "{value}");
    }
}
