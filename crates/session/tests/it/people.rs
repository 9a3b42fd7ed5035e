//! The time that people take is nobody's deadline.

use std::time::Duration;

use codewhale_mcp_session::Budget;

use crate::drive::Drive;

fn budget() -> Budget {
    Budget { total: Duration::from_secs(10), idle: Some(Duration::from_secs(4)) }
}

#[test]
fn deadlines_stand_still_while_a_person_is_asked() {
    let mut drive = Drive::ready("2025-11-25");
    drive.session.reserve(drive.now, budget()).unwrap();
    drive.wait(1.0);
    drive.session.person_asked(drive.now);
    drive.session.person_asked(drive.now);
    assert_eq!(drive.session.next_deadline(), None);
    assert!(drive.wait(3600.0).is_empty());
    drive.session.person_answered(drive.now);
    assert!(drive.wait(3600.0).is_empty(), "the second is still being asked");
    drive.session.person_answered(drive.now);
    assert_eq!(drive.session.next_deadline(), Some(drive.now + Duration::from_secs(3)));
    assert!(drive.wait(2.9).is_empty());
    assert_eq!(drive.wait(0.2), ["0 idle"]);
}

#[test]
fn a_request_made_meanwhile_has_its_whole_time() {
    let mut drive = Drive::ready("2025-11-25");
    drive.session.person_asked(drive.now);
    drive.wait(100.0);
    drive.session.reserve(drive.now, Budget::total(Duration::from_secs(5))).unwrap();
    drive.wait(100.0);
    drive.session.person_answered(drive.now);
    assert!(drive.wait(4.9).is_empty());
    assert_eq!(drive.wait(0.2), ["0 total"]);
}

#[test]
fn an_answer_too_many_harms_nothing() {
    let mut drive = Drive::ready("2025-11-25");
    drive.session.person_answered(drive.now);
    drive.session.reserve(drive.now, Budget::total(Duration::from_secs(5))).unwrap();
    assert_eq!(drive.wait(5.1), ["0 total"]);
}
